#include "schemagen/json/json_writer.h"

#include <everything/json.h>
#include <pt2/json.h>
#include <wide/json.h>

#include <array>
#include <catch2/catch.hpp>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <utility>

// A struct that starts with an optional field must compile and work.
#include "golden/scalars/json.cpp"
#include "golden/scalars/types.cpp"
#include "runtime/schemagen/json/json_parsers.h"
#include "runtime/test_seed.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "schemagen/json/reader.h"

using everything::Choice;
using everything::Containers;
using everything::Empty;
using everything::Tree;
using schemagen::Bytes;
using schemagen::Json;
using schemagen::JsonWriteOptions;
using schemagen::Map;
using schemagen::to_json;
using schemagen::Unit;

namespace {

template <class T>
std::string error_of(const T& value, const JsonWriteOptions& options = {}) {
  try {
    to_json(value, options);
    return {};
  } catch (const schemagen::DataError& error) {
    CHECK(error.place().line == 0);
    CHECK(!error.place().offset);
    return error.what();
  }
}

struct File {
  std::string path = (std::filesystem::temp_directory_path() /
                      ("json_writer_test-" + std::to_string(std::random_device{}())))
                         .string();

  explicit File(const std::string& content) { std::ofstream(path, std::ios::binary) << content; }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { std::filesystem::remove(path); }
};

/// `script` gets a file of `lines` as argv[1], and must exit with 0.
void check_by_python(const std::string& script, const std::string& lines) {
  if (std::system("python3 --version >/dev/null 2>&1") != 0) {
    WARN("python3 is missing: the text is not compared with what it writes");
    return;
  }
  const File program(script);
  const File data(lines);
  CHECK(std::system(("python3 " + program.path + " " + data.path).c_str()) == 0);
}

std::string utf8(char32_t code) {
  const auto byte = [](char32_t bits) { return static_cast<char>(static_cast<unsigned char>(bits)); };
  const auto rest = [&](int shift) { return byte(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xc0 | (code >> 6)), rest(0)};
  if (code < 0x10000) return {byte(0xe0 | (code >> 12)), rest(6), rest(0)};
  return {byte(0xf0 | (code >> 18)), rest(12), rest(6), rest(0)};
}

Tree nested_trees(std::size_t levels) {
  Tree root;
  Tree* at = &root;
  for (std::size_t i = 1; i < levels; ++i) at = &*at->left.emplace();
  return root;
}

}  // namespace

TEST_CASE("strings are escaped as Python's json.dumps does") {
  const std::pair<std::string, std::string> vectors[] = {
      {"", R"("")"},
      {"plain text, longer than a word of eight bytes", R"("plain text, longer than a word of eight bytes")"},
      {"\"\\/\b\f\n\r\t", R"("\"\\/\b\f\n\r\t")"},
      {std::string("\0\x01\x1f\x7f", 4), R"("\u0000\u0001\u001f\u007f")"},
      {"\xc3\xa9\xe2\x98\x83\xf0\x9f\x98\x80", R"("\u00e9\u2603\ud83d\ude00")"},
      {"\xf4\x8f\xbf\xbf", R"("\udbff\udfff")"},
  };
  for (const auto& [value, json] : vectors) CHECK(to_json(value) == json);
  // At every position within a word, and repeated, to test the space for escapes.
  for (const std::string& special :
       {std::string("\n"), std::string("\x7f"), std::string("\xf0\x9f\x98\x80")}) {
    const std::string escaped = to_json(special).substr(1, to_json(special).size() - 2);
    for (std::size_t before = 0; before < 20; ++before) {
      for (const std::size_t times : {1u, 2u, 5000u}) {
        std::string value(before, 'x');
        std::string json = "\"" + value;
        for (std::size_t i = 0; i < times; ++i) {
          value += special;
          json += escaped;
        }
        REQUIRE(to_json(value + "y") == json + "y\"");
      }
    }
  }
}

TEST_CASE("a string is written like its code points one by one") {
  const std::vector<std::string> parts = {
      "~", "\"", "\\", "\n", "\x01", "\x7f", "\xc3\xa9", "\xe4\xb8\xad", "\xf0\x9f\x98\x80"};
  std::mt19937_64 random(test_seed());
  for (std::size_t round = 0; round < 5000; ++round) {
    const std::array<std::string, 2> few = {parts[random() % parts.size()], parts[random() % parts.size()]};
    const std::size_t plain_ones = random() % 30;
    std::string value;
    std::string json = "\"";
    for (std::size_t left = random() % 200; left != 0; --left) {
      const std::string part = random() % (plain_ones + 1) == 0 ? few[random() % 2] : "x";
      const std::string written = to_json(part);
      value += part;
      json.append(written, 1, written.size() - 2);
    }
    REQUIRE(to_json(value) == json + "\"");
  }
}

TEST_CASE("every code point is escaped as Python's json.dumps does") {
  std::string lines;
  for (char32_t code = 0; code <= 0x10ffff; code += code < 0x300 ? 1 : code % 0x10000 < 0x300 ? 7 : 101) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    lines += std::to_string(static_cast<unsigned>(code)) + " " + to_json("a" + utf8(code)) + "\n";
  }
  check_by_python(R"(
import json, sys
wrong = 0
for line in open(sys.argv[1]):
    code, text = line.rstrip("\n").split(" ", 1)
    if json.dumps("a" + chr(int(code))) != text:
        print("U+%04X: %s" % (int(code), text))
        wrong += 1
sys.exit(wrong != 0)
)",
                  lines);
}

TEST_CASE("floats are written as Python's repr does, infinities and NaN as strings") {
  const std::pair<double, const char*> vectors[] = {
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {1.0, "1.0"},
      {-1.5, "-1.5"},
      {0.1, "0.1"},
      {100.0, "100.0"},
      {1e15, "1000000000000000.0"},
      {9999999999999998.0, "9999999999999998.0"},
      {1e16, "1e+16"},
      {1.5e16, "1.5e+16"},
      {1e22, "1e+22"},
      {1e100, "1e+100"},
      {0.001, "0.001"},
      {0.0001, "0.0001"},
      {0.00012345, "0.00012345"},
      {0.00001, "1e-05"},
      {1.5e-10, "1.5e-10"},
      {5e-324, "5e-324"},
      {2.2250738585072014e-308, "2.2250738585072014e-308"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {-1.7976931348623157e308, "-1.7976931348623157e+308"},
      {123456789012345680.0, "1.2345678901234568e+17"},
      {std::numeric_limits<double>::infinity(), "\"Infinity\""},
      {-std::numeric_limits<double>::infinity(), "\"-Infinity\""},
      {std::numeric_limits<double>::quiet_NaN(), "\"NaN\""},
      {-std::numeric_limits<double>::quiet_NaN(), "\"NaN\""},
  };
  for (const auto& [value, json] : vectors) CHECK(to_json(value) == json);
}

TEST_CASE("any float is written as Python's repr does, and is read again") {
  std::mt19937_64 random(test_seed());
  std::vector<double> values;
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t bits = random();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    values.push_back(value);
  }
  // Few digits, and numbers next to powers of ten and two.
  for (int power = -330; power <= 310; ++power) {
    const double ten = std::strtod(("1e" + std::to_string(power)).c_str(), nullptr);
    for (const double value : {ten, std::ldexp(1.0, 3 * power), 12345.0 * ten}) {
      values.push_back(value);
      values.push_back(std::nextafter(value, 0.0));
      values.push_back(-std::nextafter(value, HUGE_VAL));
    }
  }
  for (int i = 0; i < 10000; ++i) values.push_back(static_cast<double>(random() % 1000000) / 1000);

  std::string lines;
  for (const double value : values) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    std::array<char, 16> hex{};
    const auto end = std::to_chars(hex.data(), hex.data() + hex.size(), bits, 16).ptr;
    lines.append(hex.data(), end).append(" " + to_json(value) + "\n");
  }
  check_by_python(R"(
import json, math, struct, sys
wrong = 0
for line in open(sys.argv[1]):
    bits, text = line.split()
    value = struct.unpack(">d", bytes.fromhex(bits.rjust(16, "0")))[0]
    if math.isfinite(value):
        expected = repr(value)
    else:
        expected = '"NaN"' if math.isnan(value) else '"Infinity"' if value > 0 else '"-Infinity"'
    if text != expected:
        print("%s: %s, but Python has %s" % (bits, text, expected))
        wrong += 1
sys.exit(wrong != 0)
)",
                  lines);

  const std::string json = to_json(values);
  const auto read = read_by_tape<std::vector<double>>(json);
  REQUIRE(read.size() == values.size());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool same =
        std::isnan(values[i]) ? std::isnan(read[i]) : std::memcmp(&values[i], &read[i], sizeof(double)) == 0;
    wrong += same ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("other values are written as json.dumps does") {
  CHECK(to_json(true) == "true");
  CHECK(to_json(std::int64_t{0}) == "0");
  CHECK(to_json(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(to_json(std::numeric_limits<std::int64_t>::max()) == "9223372036854775807");
  CHECK(to_json(everything::Color::BLUE) == "-7");
  CHECK(to_json(static_cast<everything::Color>(12345)) == "12345");
  CHECK(to_json(Unit()) == "[]");
  CHECK(to_json(Empty()) == "{}");
  CHECK(to_json(Bytes{0, 0xff}) == "\"AP8=\"");
  CHECK(to_json(Json()) == "null");
  CHECK(to_json(Json{"{ \"a\":1.50 }"}) == "{ \"a\":1.50 }");
  CHECK(to_json(std::optional<bool>()) == "null");
  CHECK(to_json(std::optional<bool>(false)) == "false");
  CHECK(to_json(std::vector<bool>{true, false}) == "[true, false]");
  CHECK(to_json(std::vector<std::vector<std::int64_t>>{{1, 2}, {}}) == "[[1, 2], []]");
  Map<std::int64_t> map;
  CHECK(to_json(map) == "{}");
  map["b"] = 1;
  map["\xc3\xa9\""] = 2;
  CHECK(to_json(map) == R"({"b": 1, "\u00e9\"": 2})");
}

TEST_CASE("writing a string that is not UTF-8 is an error with a path") {
  for (const std::string& bad :
       {std::string("\xff"), std::string("abcdefgh\xc3"), std::string("\xed\xa0\x80")}) {
    const std::string complaint = "the string is not valid UTF-8";
    CHECK(error_of(bad) == complaint);
    Tree tree;
    tree.name = bad;
    CHECK(error_of(tree) == "name: " + complaint);
    tree.name = "\"quoted\" \\ {[ \xc3\xa9";
    tree.children.resize(3);
    tree.children[2].name = bad;
    CHECK(error_of(tree) == "children[2].name: " + complaint);
    CHECK(error_of(std::vector<std::string>{"ok", "[\"", bad}) == "[2]: " + complaint);
    Map<std::string> map;
    map["first"] = "{";
    map["a key"] = bad;
    CHECK(error_of(map) == "[\"a key\"]: " + complaint);
    Containers containers;
    containers.colors["ok"] = everything::Color::RED;
    containers.colors[bad] = everything::Color::RED;
    CHECK(error_of(containers) == "colors: " + complaint);
    containers.colors.erase("ok");
    CHECK(error_of(containers) == "colors: " + complaint);
    Map<Map<bool>> maps;
    maps["a"][bad] = true;
    CHECK(error_of(maps) == "a: " + complaint);
    map.clear();
    map[bad] = "";
    CHECK(error_of(map) == complaint);
  }
}

TEST_CASE("writing an unset union is an error with a path") {
  const std::string complaint = "cannot write an unset union";
  CHECK(error_of(Choice()) == complaint);
  CHECK(error_of(wide::Either()) == complaint);
  CHECK(error_of(std::vector<Choice>(1)) == "[0]: " + complaint);
  Tree tree;
  tree.named["x"];
  tree.named["y z"].children.resize(2);
  tree.named["y z"].children[1].choice.emplace();
  CHECK(error_of(tree) == R"(named["y z"].children[1].choice: )" + complaint);
  Containers containers;
  containers.values = {Json{"{\"a\": [1, {\"b\": \"]}\"}]}"}, Json{"1.5"}};
  containers.choices.emplace(2).front().emplace<Choice::kind_>(1);
  CHECK(error_of(containers) == "choices[1]: " + complaint);
}

TEST_CASE("the path of an unset union is right after deeper values") {
  JsonWriteOptions options;
  options.limits.depth = 3;
  std::vector<std::vector<Choice>> lists(2, std::vector<Choice>(1));
  lists[0][0].emplace<Choice::kind_>(1);
  CHECK(error_of(lists, options) == "[1][0]: cannot write an unset union");
}

TEST_CASE("the writer has the same limits as the reader") {
  JsonWriteOptions options;
  options.limits.string_bytes = 3;
  options.limits.container_items = 2;
  CHECK(error_of(std::vector<std::string>{"abc", "abcd"}, options) ==
        "[1]: a string of 4 bytes, over the limit of 3");
  CHECK(error_of(std::vector<Bytes>{{1, 2, 3}}, options).empty());
  CHECK(error_of(std::vector<Bytes>{{1, 2, 3, 4}}, options) ==
        "[0]: a string of 4 bytes, over the limit of 3");
  CHECK(error_of(std::vector<Json>{{"[]"}, {"[1]"}}, options).empty());
  CHECK(error_of(std::vector<Json>{{"[]"}, {"[12]"}}, options) ==
        "[1]: a value of 4 bytes, over the limit of 3");
  CHECK(error_of(std::vector<std::int64_t>{1, 2}, options).empty());
  CHECK(error_of(std::vector<std::int64_t>{1, 2, 3}, options) == "3 items, over the limit of 2");
  CHECK(error_of(std::vector<bool>(3), options) == "3 items, over the limit of 2");
  Map<std::int64_t> map;
  for (const char* key : {"a", "b", "c"}) map[key] = 1;
  CHECK(error_of(map, options) == "3 items, over the limit of 2");

  options = {};
  options.limits.input_bytes = 9;
  CHECK(to_json(std::vector<std::int64_t>{1, 2, 3}, options) == "[1, 2, 3]");
  CHECK(error_of(std::vector<std::int64_t>{1, 2, 34}, options) ==
        "a document of 10 bytes, over the limit of 9");
  CHECK(error_of(std::vector<std::string>(1000, std::string(100, 'x')), options).find("a document of ") == 0);
}

TEST_CASE("an Any is written only if it is JSON within the remaining depth") {
  const std::string complaint = "the text of an Any is not JSON or is nested too deeply";
  for (const char* bad : {"", "1 2", "{\"a\": 1", "\"\x80\"", "NaN", "1, \"injected\": 2"}) {
    CAPTURE(bad);
    CHECK(error_of(std::vector<Json>{{"null"}, {bad}}) == "[1]: " + complaint);
  }
  CHECK(error_of(Json{R"({"a": 1, "a": 1})"}) == "the text of an Any has the duplicate key 'a'");
  JsonWriteOptions options;
  options.limits.depth = 2;
  CHECK(to_json(std::vector<Json>{{"[1]"}}, options) == "[[1]]");
  CHECK(error_of(std::vector<Json>{{"[[1]]"}}, options) == "[0]: " + complaint);
}

TEST_CASE("the depth limit also holds for writing") {
  CHECK(error_of(nested_trees(255)).empty());
  std::string path;
  for (int i = 0; i < 255; ++i) path += "left.";
  CHECK(error_of(nested_trees(256)) ==
        schemagen::shortened(path + "children") + ": nested more than 256 levels deep");
  CHECK(error_of(nested_trees(257)) ==
        schemagen::shortened(path + "left") + ": nested more than 256 levels deep");

  JsonWriteOptions options;
  options.limits.depth = 2;
  CHECK(error_of(std::vector<std::vector<bool>>{{true}}, options).empty());
  CHECK(error_of(std::vector<std::vector<Unit>>{{Unit()}}, options) ==
        "[0][0]: nested more than 2 levels deep");
  CHECK(error_of(std::vector<std::vector<Empty>>{{}, {Empty()}}, options) ==
        "[1][0]: nested more than 2 levels deep");
  Map<Map<std::vector<bool>>> maps;
  CHECK(error_of(maps, options).empty());
  maps["a"]["b"];
  CHECK(error_of(maps, options) == "a.b: nested more than 2 levels deep");
  std::vector<std::vector<Choice>> choices(1);
  choices[0].emplace_back().emplace<Choice::kind_>(1);
  CHECK(error_of(choices, options) == "[0][0]: nested more than 2 levels deep");
  options.limits.depth = 3;
  CHECK(error_of(choices, options).empty());
}

TEST_CASE("indented JSON has Python's layout") {
  Containers containers;
  containers.values = {Json{"{}"}, Json{" [ ] "}, Json{"{\"a\":[1 ,{\"b\": \"]},:\\\\\" }\n]}"},
                       Json{"\"[\""}};
  containers.choices.emplace(2).front().emplace<Choice::kind_>(1);
  containers.choices->back().emplace<Choice::kind_>(2);
  std::string lines;
  for (const std::size_t spaces : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{40}}) {
    JsonWriteOptions options;
    options.indent = spaces;
    for (const auto& [one_line, text] :
         {std::pair(to_json(containers), to_json(containers, options)),
          std::pair(to_json(nested_trees(20)), to_json(nested_trees(20), options)),
          std::pair(to_json(Empty()), to_json(Empty(), options))}) {
      lines += "[" + std::to_string(spaces) + ", " + to_json(one_line) + ", " + to_json(text) + "]\n";
    }
  }
  check_by_python(R"(
import json, sys
for line in open(sys.argv[1]):
    spaces, one_line, text = json.loads(line)
    expected = json.dumps(json.loads(one_line), indent=spaces)
    if text != expected:
        sys.exit(text + "\n\nbut Python has\n\n" + expected)
)",
                  lines);
}

TEST_CASE("indented JSON has the size limit of a document") {
  JsonWriteOptions options;
  options.indent = 2;
  const std::vector<std::int64_t> value{1, 23};
  const std::string text = "[\n  1,\n  23\n]";
  CHECK(to_json(value, options) == text);
  options.limits.input_bytes = text.size();
  CHECK(to_json(value, options) == text);
  options.limits.input_bytes = text.size() - 1;
  CHECK(error_of(value, options) == "a document of 13 bytes, over the limit of 12");
  options.indent = std::numeric_limits<std::size_t>::max();
  CHECK(error_of(value, options) == "a document of 14 bytes, over the limit of 12");
}

TEST_CASE("fields that are null by default can be left out") {
  JsonWriteOptions options;
  options.omit_null_defaults = true;
  Tree tree;
  tree.name = "a";
  CHECK(to_json(tree, options) == R"({"name": "a", "children": [], "named": {}})");
  tree.right.emplace()->name = "r";
  CHECK(to_json(tree, options) ==
        R"({"name": "a", "right": {"name": "r", "children": [], "named": {}}, "children": [], "named": {}})");
  // Required fields stay.
  const std::string scalars = to_json(everything::Scalars(), options);
  CHECK(scalars.find("\"maybe\": null") != std::string::npos);
  CHECK(scalars.find("maybe_default") == std::string::npos);
}

TEST_CASE("the first field of a struct can be left out as well") {
  JsonWriteOptions omit;
  omit.omit_null_defaults = true;
  scalars::OnlyOptional value;
  CHECK(to_json(value) == R"({"first": null, "second": null})");
  CHECK(to_json(value, omit) == "{}");
  value.second = "{";
  CHECK(to_json(value) == R"({"first": null, "second": "{"})");
  CHECK(to_json(value, omit) == R"({"second": "{"})");
  value.first = 1;
  CHECK(to_json(value, omit) == R"({"first": 1, "second": "{"})");
  value.second.reset();
  CHECK(to_json(value, omit) == R"({"first": 1})");
  CHECK(to_json(std::vector<scalars::OnlyOptional>(2), omit) == "[{}, {}]");
  scalars::OptionalFirst mixed;
  CHECK(to_json(mixed) == R"({"first": null, "second": 0, "third": null})");
  CHECK(to_json(mixed, omit) == R"({"second": 0})");
  mixed.third = true;
  CHECK(to_json(mixed, omit) == R"({"second": 0, "third": true})");
}
