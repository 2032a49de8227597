#include "schemagen/base/map.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "schemagen/base/error.h"

using schemagen::Map;

namespace {

std::vector<std::string> keys(const Map<int>& map) {
  std::vector<std::string> result;
  for (const auto& [key, value] : map) {
    static_cast<void>(value);
    result.push_back(key);
  }
  return result;
}

Map<int> numbered(int count) {
  Map<int> map;
  for (int i = 0; i < count; ++i) map["key " + std::to_string(i)] = i;
  return map;
}

bool is_numbered(const Map<int>& map, int count) {
  if (map.size() != static_cast<std::size_t>(count)) return false;
  int next = 0;
  for (const auto& [key, value] : map) {
    if (value != next || key != "key " + std::to_string(next)) return false;
    const int* found = map.find(key);
    if (found == nullptr || *found != next) return false;
    ++next;
  }
  return true;
}

struct Recursive {
  Map<Recursive> children;
};

}  // namespace

TEST_CASE("a set has each string once") {
  schemagen::Set texts;
  CHECK(texts.empty());
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 1000; ++i) CHECK(texts.insert(std::to_string(i)) == (round == 0));
  }
  CHECK(texts.contains("999"));
  CHECK_FALSE(texts.contains("1000"));
}

TEST_CASE("keys may be integers or enums") {
  enum class Color : std::int32_t { red, green = -7 };
  schemagen::Map<std::string, Color> names{{Color::green, "green"}, {Color::red, "red"}};
  CHECK(names.at(Color::green) == "green");
  CHECK(names.begin()->key() == Color::green);
  CHECK_THROWS_WITH(names.at(static_cast<Color>(5)), "the map has no key '5'");
  schemagen::Map<std::int64_t, std::uint64_t> squares;
  for (std::uint64_t i = 0; i < 1000; ++i) squares[i << 32] = static_cast<std::int64_t>(i * i);
  CHECK(squares.size() == 1000);
  for (std::uint64_t i = 0; i < 1000; ++i) CHECK(squares.at(i << 32) == static_cast<std::int64_t>(i * i));
  CHECK(squares.find(1) == nullptr);
  CHECK(squares.erase(0));
  schemagen::Map<std::int64_t, std::uint64_t> other;
  for (std::uint64_t i = 999; i > 0; --i) other[i << 32] = static_cast<std::int64_t>(i * i);
  CHECK(other == squares);
}

TEST_CASE("a map iterates in insertion order") {
  Map<int> map;
  map["b"] = 1;
  map["a"] = 2;
  map["c"] = 3;
  map["a"] = 4;
  CHECK(keys(map) == std::vector<std::string>{"b", "a", "c"});
  CHECK(map.at("a") == 4);
}

TEST_CASE("a map finds its keys at every size, small and large") {
  for (const int count : {0, 1, 7, 8, 9, 10, 31, 32, 33, 1000, 100000}) {
    INFO(count);
    const Map<int> map = numbered(count);
    CHECK(is_numbered(map, count));
    CHECK(map.find("key -1") == nullptr);
    CHECK_FALSE(map.contains(""));
  }
}

TEST_CASE("a map finds its keys after a reservation, a copy, a move and an assignment") {
  for (const int count : {3, 300}) {
    Map<int> map;
    map.reserve(1000);
    for (int i = 0; i < count; ++i) map["key " + std::to_string(i)] = i;
    CHECK(is_numbered(map, count));
    Map<int> copy(map);
    CHECK(is_numbered(copy, count));
    const Map<int> moved(std::move(copy));
    CHECK(is_numbered(moved, count));
    map["another"] = 1;
    map = moved;
    CHECK(is_numbered(map, count));
    const Map<int>& same = map;
    map = same;
    CHECK(is_numbered(map, count));
  }
}

TEST_CASE("adding an existing key keeps its place and is reported") {
  Map<std::string> map;
  CHECK(map.try_emplace("x").second);
  *map.try_emplace("x").first = "value";
  CHECK_FALSE(map.try_emplace("x").second);
  CHECK(map.at("x") == "value");
  CHECK(map.size() == 1);
}

TEST_CASE("erasing a key keeps the order of the others") {
  for (const int count : {5, 500}) {
    Map<int> map = numbered(count);
    CHECK(map.erase("key 2"));
    CHECK_FALSE(map.erase("key 2"));
    CHECK(map.size() == static_cast<std::size_t>(count - 1));
    CHECK(map.find("key 2") == nullptr);
    CHECK(map.at("key 4") == 4);
    CHECK(keys(map)[2] == "key 3");
    map["key 2"] = 2;
    CHECK(keys(map).back() == "key 2");
  }
}

TEST_CASE("a cleared map is empty and can be filled again") {
  Map<int> map = numbered(100);
  map.clear();
  CHECK(map.empty());
  CHECK(map.find("key 1") == nullptr);
  map["key 1"] = 5;
  CHECK(map.at("key 1") == 5);
}

TEST_CASE("a missing key is a UsageError with its name") {
  const Map<int> map = numbered(2);
  CHECK_THROWS_WITH(map.at("nowhere"), "the map has no key 'nowhere'");
  CHECK_THROWS_AS(map.at("nowhere"), schemagen::UsageError);
}

TEST_CASE("maps are equal if their entries are, in any order") {
  Map<int> a;
  a["x"] = 1;
  a["y"] = 2;
  Map<int> b;
  b["y"] = 2;
  CHECK(a != b);
  b["x"] = 1;
  CHECK(a == b);
  b["x"] = 3;
  CHECK(a != b);
}

TEST_CASE("values can be changed during iteration") {
  Map<int> map = numbered(20);
  for (auto& [key, value] : map) value += static_cast<int>(key.size());
  CHECK(map.at("key 7") == 12);
}

TEST_CASE("a map may hold the type that holds it") {
  Recursive root;
  root.children["a"].children["b"];
  const Recursive copy = root;
  CHECK(copy.children.at("a").children.contains("b"));
}

TEST_CASE("a map can be assigned from a map that it holds") {
  for (const int count : {3, 300}) {
    const auto filled = [&] {
      Recursive root;
      for (int i = 0; i < count; ++i) root.children["key " + std::to_string(i)].children["inner"];
      return root;
    };
    Recursive moved = filled();
    moved.children = std::move(moved.children.at("key 1").children);
    CHECK(moved.children.size() == 1);
    CHECK(moved.children.contains("inner"));
    Recursive copied = filled();
    copied.children = copied.children.at("key 1").children;
    CHECK(copied.children.size() == 1);
    CHECK(copied.children.contains("inner"));
    Map<Recursive>& same = copied.children;
    copied.children = std::move(same);
    CHECK(copied.children.contains("inner"));
  }
}

TEST_CASE("a moved-from map is empty and can be filled again") {
  for (const int count : {3, 300}) {
    Map<int> map = numbered(count);
    Map<int> taken(std::move(map));
    CHECK(map.empty());  // NOLINT: that is what is tested
    CHECK(map.find("key 1") == nullptr);
    for (int i = 0; i < count; ++i) map["key " + std::to_string(i)] = i;
    CHECK(is_numbered(map, count));
    taken = std::move(map);
    CHECK(map.empty());  // NOLINT
    CHECK(is_numbered(taken, count));
  }
}

TEST_CASE("large maps are equal in any order") {
  const Map<int> map = numbered(1000);
  Map<int> reversed;
  for (int i = 999; i >= 0; --i) reversed["key " + std::to_string(i)] = i;
  CHECK(map == reversed);
  reversed["key 500"] = 0;
  CHECK(map != reversed);
  reversed.erase("key 500");
  CHECK(map != reversed);
  reversed["key -1"] = 500;
  CHECK(map != reversed);
}

TEST_CASE("keys may hold any bytes") {
  Map<int> map;
  const std::string with_nul("a\0b", 3);
  map[with_nul] = 1;
  map["a"] = 2;
  CHECK(map.at(with_nul) == 1);
  CHECK(map.at("a") == 2);
}

TEST_CASE("a map can be made from a list of entries, where the first of each key wins") {
  const Map<int> map = {{"b", 1}, {"a", 2}, {"b", 3}};
  REQUIRE(map.size() == 2);
  CHECK(map.begin()->key() == "b");
  CHECK(map.begin()->value == 1);
  CHECK(map.at("a") == 2);
  CHECK(Map<int>({}).empty());
}

TEST_CASE("insert adds what is new and leaves what is there") {
  Map<std::string> map;
  const auto [first, is_first_new] = map.insert("a", "1");
  CHECK(is_first_new);
  CHECK(first->value == "1");
  const auto [again, is_again_new] = map.insert("a", "2");
  CHECK_FALSE(is_again_new);
  CHECK(again == map.begin());
  CHECK(map.at("a") == "1");
  CHECK(map.count("a") == 1);
  CHECK(map.count("b") == 0);
  CHECK(map.find_entry("a") == map.begin());
  CHECK(map.find_entry("b") == map.end());
}

TEST_CASE("entries are bound by reference, and only so") {
  Map<std::vector<int>> map = {{"a", {1}}};
  for (auto& [key, value] : map) {
    STATIC_REQUIRE(std::is_same_v<decltype(key), const std::string>);
    value.push_back(static_cast<int>(key.size()));
  }
  CHECK(map.at("a") == std::vector<int>{1, 1});
  const Map<std::vector<int>>& same = map;
  for (const auto& [key, value] : same) CHECK(&value == map.find(key));
  using Entry = Map<std::vector<int>>::value_type;
  STATIC_REQUIRE_FALSE(std::is_convertible_v<Entry&, Entry>);  // no silent copy in a loop by value
  STATIC_REQUIRE_FALSE(std::is_copy_assignable_v<Entry>);
}

TEST_CASE("algorithms of the standard library go over entries") {
  const Map<int> map = {{"a", 3}, {"b", 1}, {"c", 2}};
  STATIC_REQUIRE(std::is_base_of_v<std::random_access_iterator_tag,
                                   std::iterator_traits<Map<int>::const_iterator>::iterator_category>);
  const auto least = std::min_element(map.begin(), map.end(),
                                      [](const auto& a, const auto& b) { return a.value < b.value; });
  CHECK(least->key() == "b");
}

TEST_CASE("the entries of a map that are placed again keep their values up to the first other key") {
  for (const int count : {3, 20}) {
    CAPTURE(count);
    Map<int> map = numbered(count);
    CHECK(*map.place(0, "key 0") == 0);
    CHECK(*map.place(1, "key 1") == 1);
    CHECK(*map.place(2, "new") == 0);
    CHECK(keys(map) == std::vector<std::string>{"key 0", "key 1", "new"});
    CHECK(map.place(3, "key 1") == nullptr);
    CHECK_FALSE(map.contains("key 2"));
    CHECK(*map.place(3, "key 2") == 0);
    map.keep_first(1);
    CHECK(keys(map) == std::vector<std::string>{"key 0"});
    CHECK(map.find("new") == nullptr);
    CHECK(map.find("key 0") != nullptr);
  }
}
