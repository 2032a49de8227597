#include "schemagen/base/value_text.h"

#include <everything/visit.h>
#include <pt2/visit.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <limits>
#include <string>

#include "message_check.h"
#include "runtime/random_value.h"
#include "runtime/test_seed.h"

using everything::Choice;
using everything::Containers;
using everything::Scalars;
using everything::Tree;
using schemagen::to_text;

TEST_CASE("a struct is shown with its name and its fields' names") {
  CHECK(to_text(pt2::Device{"cuda", 1}) == "Device{type: 'cuda', index: 1}");
  CHECK(to_text(pt2::Device{"cpu", {}}) == "Device{type: 'cpu', index: null}");
  CHECK(to_text(everything::Empty{}) == "Empty{}");
}

TEST_CASE("a union is shown with the member that is set, or as unset") {
  CHECK(to_text(Choice{}) == "Choice.unset");
  CHECK(to_text(Choice::of<Choice::get_>("x")) == "Choice.get('x')");
  CHECK(to_text(Choice::of<Choice::nothing>()) == "Choice.nothing(())");
  CHECK(to_text(pt2::SymInt(std::int64_t{3})) == "SymInt.as_int(3)");
}

TEST_CASE("an enum is shown by its name in the schema, without one by its number") {
  CHECK(to_text(everything::Color::BLUE) == "BLUE");
  CHECK(to_text(Choice::of<Choice::color>(static_cast<everything::Color>(10))) == "Choice.color(class)");
  CHECK(to_text(static_cast<everything::Color>(-99)) == "-99");
}

TEST_CASE("every scalar has its form") {
  Scalars value;
  value.ratio = std::numeric_limits<double>::quiet_NaN();
  value.whole_default = -0.0;
  value.blob = {0, 255};
  value.anything.text = "{\"a\": 1}";
  value.label_default.clear();
  CHECK(to_text(value) ==
        "Scalars{flag: false, count: 0, ratio: nan, label: '', blob: <2 bytes: 00 ff>, nothing: (), "
        "anything: {\"a\": 1}, color: RED, flag_default: true, count_default: -9223372036854775808, "
        "ratio_default: 1e-300, whole_default: -0.0, label_default: '', color_default: BLUE, maybe: null, "
        "maybe_default: null}");
}

TEST_CASE("lists and maps are shown in their order") {
  Tree tree;
  tree.left.emplace();
  tree.left.value()->name = "l";
  tree.named["a key"].choice.emplace().emplace<Choice::flags>(std::vector<bool>{true, false});
  CHECK(
      to_text(tree) ==
      "Tree{name: '', left: Tree{name: 'l', left: null, right: null, children: [], named: {}, choice: null}, "
      "right: null, children: [], named: {'a key': Tree{name: '', left: null, right: null, children: [], "
      "named: {}, choice: Choice.flags([true, false])}}, choice: null}");
}

TEST_CASE("terminal control characters are escaped, and long strings are cut") {
  Tree tree;
  tree.name = "\x1b[2J\n'" + std::string(1000, 'x');
  tree.named["\x07"].name = "\xff";
  const std::string text = to_text(tree);
  CHECK(message_fault(text).empty());
  CHECK(text.find(R"(name: '\x1b[2J\n\'xxx)") != text.npos);
  CHECK(text.find(R"('\x07': Tree{name: '\xff')") != text.npos);
  CHECK(text.size() < 400);
}

TEST_CASE("a text is within the limit, and the rest takes no time") {
  const schemagen::TextOptions short_text{20};
  CHECK(to_text(pt2::Device{"cuda", 1}, short_text) == "Device{type: 'cuda'...");
  Containers wide;
  wide.matrix.assign(100, std::vector<double>(10000, 1.5));
  const std::string text = to_text(wide);
  CHECK(text.size() <= 4096 + 3);
  CHECK(text.substr(text.size() - 3) == "...");
  // Visiting everything would take seconds.
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 100; ++i) static_cast<void>(to_text(wide, short_text));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(1));
}

TEST_CASE("texts of random values are printable and bounded") {
  RandomValue random(test_seed(), true);
  for (int i = 0; i < 500; ++i) {
    const auto value = random.make<Tree>();
    const std::string text = to_text(value, {300});
    CAPTURE(text);
    REQUIRE(text.size() <= 303);
    REQUIRE(message_fault(to_text(value, {100})).empty());
  }
}
