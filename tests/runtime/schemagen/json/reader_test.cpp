#include "schemagen/json/reader.h"

#include <everything/json.h>
#include <pt2/json.h>
#include <wide/json.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "runtime/schemagen/json/json_parsers.h"
#include "schemagen/base/quote.h"

using everything::Choice;
using everything::Color;
using everything::Containers;
using everything::Empty;
using everything::Preset;
using everything::Scalars;
using everything::Style;
using everything::Tree;
using schemagen::Bytes;
using schemagen::from_json;
using schemagen::Json;
using schemagen::JsonReadOptions;
using schemagen::Map;
using schemagen::Unit;
using schemagen::UnknownFields;

namespace {

struct Case {
  std::string json;
  std::string result;
};

template <class T>
void check_errors(const std::vector<Case>& cases, const JsonReadOptions& options = {}) {
  for (const Case& c : cases) {
    CAPTURE(c.json);
    CHECK(error_of<T>(c.json, options) == c.result);
  }
}

template <class T>
void check_values(const std::vector<Case>& cases, const JsonReadOptions& options = {}) {
  for (const Case& c : cases) {
    CAPTURE(c.json);
    CHECK(rewritten<T>(c.json, options) == c.result);
  }
}

JsonReadOptions with(UnknownFields unknown_fields) {
  JsonReadOptions options;
  options.unknown_fields = unknown_fields;
  return options;
}

JsonReadOptions with_bare_nonfinite() {
  JsonReadOptions options;
  options.bare_nonfinite = true;
  return options;
}

std::string repeat(std::string_view text, std::size_t n) {
  std::string result;
  for (std::size_t i = 0; i < n; ++i) result += text;
  return result;
}

}  // namespace

TEST_CASE("values of every scalar type are read") {
  const std::string json =
      R"({"flag": true, "count": -5, "ratio": 0.5, "label": "x\u00e9", "blob": "AAEC", "nothing": [], )"
      R"("anything": {"a": [1.50]}, "color": 2, "flag_default": false, "count_default": 1, )"
      R"("ratio_default": 2.0, "whole_default": 3.0, "label_default": "", "color_default": 0, "maybe": 7, )"
      R"("maybe_default": -7})";
  CHECK(rewritten<Scalars>(json) == json);

  const auto scalars = read_by_tape<Scalars>(json);
  CHECK(scalars.flag);
  CHECK(scalars.count == -5);
  CHECK(scalars.ratio == 0.5);
  CHECK(scalars.label == "x\xc3\xa9");
  CHECK(scalars.blob == Bytes{0, 1, 2});
  CHECK(scalars.anything.text == R"({"a": [1.50]})");
  CHECK(scalars.color == Color::GREEN);
  CHECK(scalars.maybe == 7);
  CHECK(scalars.maybe_default == Color::BLUE);
}

TEST_CASE("a field that is left out has its default") {
  const auto scalars = from_json<Scalars>(
      R"({"flag": false, "count": 0, "ratio": 0, "label": "", "blob": "", "nothing": [], "anything": null,
          "color": 0, "maybe": null})");
  CHECK(scalars.flag_default);
  CHECK(scalars.count_default == std::numeric_limits<std::int64_t>::min());
  CHECK(scalars.ratio_default == 1e-300);
  CHECK(scalars.whole_default == 2.0);
  CHECK(scalars.label_default == "a \"q\"\n\t\\ \xe2\x98\x83 7");
  CHECK(scalars.color_default == Color::BLUE);
  CHECK(!scalars.maybe.has_value());
  CHECK(!scalars.maybe_default.has_value());
}

TEST_CASE(
    "a list, map, struct or union that is left out has its default, one that is there only its own values") {
  Preset preset = from_json<Preset>("{}");
  CHECK(preset == Preset());
  CHECK(preset.flags == std::vector<bool>{true, false});
  CHECK(preset.counts == std::vector<std::int64_t>{1, std::numeric_limits<std::int64_t>::min()});
  CHECK(preset.ratios == std::vector<double>{1.0, 0.5});
  CHECK(preset.labels == std::vector<std::string>{"a", "b"});
  CHECK(preset.colors == std::vector<Color>{Color::RED, Color::class_});
  CHECK(preset.matrix == std::vector<std::vector<double>>{{1.5}, {}});
  CHECK(preset.by_name.at("a b").at(0).at("x") == 1);
  CHECK(preset.by_name.at("").empty());
  CHECK(preset.style == Style{Color::BLUE, 1.0, {"plain"}, {}});
  CHECK(preset.styles == std::vector<Style>{Style(), Style{Color::GREEN, 2.5, {"x"}, Color::RED}});
  CHECK(preset.named.at("thin").width == 0.5);
  CHECK(preset.choice.get<Choice::color>() == Color::GREEN);
  CHECK(preset.choices.at(1).get<Choice::get_>() == "it");
  CHECK(*preset.on_heap == Style());
  CHECK((*preset.tree.left)->name == "leaf");
  CHECK(preset.tree.choice->is<Choice::empty>());

  const Preset given = from_json<Preset>(
      R"({"flags": [], "labels": ["c"], "by_name": {}, "style": {}, "on_heap": {"width": 2}, )"
      R"("tree": {"name": "x"}})");
  CHECK(given.flags.empty());
  CHECK(given.labels == std::vector<std::string>{"c"});
  CHECK(given.by_name.empty());
  CHECK(given.style == Style());
  CHECK(given.on_heap->width == 2.0);
  CHECK(!given.tree.left);
  CHECK(from_json<Preset>(schemagen::to_json(given)) == given);
}

TEST_CASE("fields come in any order") {
  CHECK(rewritten<Tree>(R"({"children": [{"named": {}, "name": "b"}], "name": "a"})") ==
        R"({"name": "a", "left": null, "right": null, "children": [{"name": "b", "left": null, )"
        R"("right": null, "children": [], "named": {}, "choice": null}], "named": {}, "choice": null})");
}

TEST_CASE("the first fault of a struct is reported with its path, line and column") {
  check_errors<Tree>({
      {R"({"name": "a", "nmae": "b"})", "nmae: unknown field 'nmae' (line 1, column 15)"},
      {R"({"name": "a", "": "b"})", R"([""]: unknown field '' (line 1, column 15))"},
      {R"({"name": "a", "Name": "b"})", "Name: unknown field 'Name' (line 1, column 15)"},
      {R"({"name": "a", "name": "b"})", "name: duplicate key 'name' (line 1, column 15)"},
      {R"({"name": "a", "left": null, "name": "b"})", "name: duplicate key 'name' (line 1, column 29)"},
      {R"({"left": null, "left": null, "name": "b"})", "left: duplicate key 'left' (line 1, column 16)"},
      {R"({"name": "a", "\u006eame": "b"})", "name: duplicate key 'name' (line 1, column 15)"},
      {"{}", "the required field 'name' is missing (line 1, column 1)"},
      {R"({"left": null})", "the required field 'name' is missing (line 1, column 1)"},
      {R"({"name": "a", "left": {"choice": null}})",
       "left: the required field 'name' is missing (line 1, column 23)"},
      {R"({"name": null})", "name: expected a string, found null (line 1, column 10)"},
      {R"({"name": "a", "children": null})", "children: expected a list, found null (line 1, column 27)"},
      {R"({"name": "a", "named": null})", "named: expected an object, found null (line 1, column 24)"},
      {"[]", "expected an object, found a list (line 1, column 1)"},
      {" \n\tnull", "expected an object, found null (line 2, column 2)"},
  });
  check_errors<Scalars>({
      {"{}",
       "the required fields 'flag', 'count', 'ratio', 'label', 'blob', 'nothing', 'anything', 'color', "
       "'maybe' are missing (line 1, column 1)"},
      {R"({"flag": true, "count": 1, "ratio": 1, "label": "", "blob": "", "nothing": [], "color": 1})",
       "the required fields 'anything', 'maybe' are missing (line 1, column 1)"},
      {R"({"flag": null})", "flag: expected true or false, found null (line 1, column 10)"},
  });
  check_errors<Empty>({
      {R"({"a": 1})", "a: unknown field 'a' (line 1, column 2)"},
      {"[]", "expected an object, found a list (line 1, column 1)"},
  });
  CHECK(rewritten<Empty>(" { } ") == "{}");
}

TEST_CASE("an error deep in a document has its full path") {
  const std::string json = R"({
  "name": "root",
  "left": {"name": "l", "children": [
    {"name": "c0"},
    {"name": "c1", "named": {
      "plain": {"name": ""},
      "odd key": {"name": "", "choice": {"flags": [true, false, "no"]}}
    }}
  ]}
})";
  CHECK(error_of<Tree>(json) ==
        R"(left.children[1].named["odd key"].choice.flags[2]: expected true or false, found a string )"
        "(line 7, column 65)");
}

TEST_CASE("keys that are not identifiers are quoted, cut and escaped in paths") {
  const std::string long_key(120, 'k');
  const std::string long_umlauts = "x" + repeat("\xc3\xa4", 60);
  const std::vector<Case> cases = {
      {"k", "named.k"},
      {"_9", "named._9"},
      {"9", R"(named["9"])"},
      {"a-b", R"(named["a-b"])"},
      {"a.b", R"(named["a.b"])"},
      {"\xe2\x98\x83", "named[\"\xe2\x98\x83\"]"},
      {R"(a\"b\\)", R"(named["a\"b\\"])"},
      {R"(\u001b[2J\n\u007f)", R"(named["\x1b[2J\n\x7f"])"},
      {long_key, "named." + std::string(100, 'k') + "..."},
      {"-" + long_key, "named[\"-" + std::string(99, 'k') + "...\"]"},
      {long_umlauts, "named[\"x" + repeat("\xc3\xa4", 49) + "...\"]"},
  };
  for (const Case& c : cases) {
    const std::string error = error_of<Tree>(R"({"name": "", "named": {")" + c.json + R"(": 1}})");
    CHECK(error.substr(0, error.find(": expected")) == c.result);
  }
  CHECK(error_of<Empty>(R"({"\u001b": 1})") == R"(["\x1b"]: unknown field '\x1b' (line 1, column 2))");
  CHECK(error_of<Empty>("{\"" + long_key + "\": 1}").size() < 280);
}

TEST_CASE("unknown fields are skipped and reported, if the options say so") {
  const std::string json = R"({"name": "a", "x": {"name": [1, {"y": 2}]},
 "children": [{"name": "b", "y": 1.5}, {"name": "c"}, {"z": [], "name": "d"}], "w": "s"})";
  CHECK(error_of<Tree>(json) == "x: unknown field 'x' (line 1, column 15)");
  const JsonOutcome outcome = outcome_of<Tree>(json, with(UnknownFields::skip));
  CHECK(outcome.value ==
        rewritten<Tree>(R"({"name": "a", "children": [{"name": "b"}, {"name": "c"}, {"name": "d"}]})"));
  CHECK(outcome.skipped ==
        std::vector<std::string>{"x (line 1, column 15)", "children[0].y (line 2, column 29)",
                                 "children[2].z (line 2, column 56)", "w (line 2, column 80)"});
}

TEST_CASE("empty unknown fields are skipped and reported, if the options say so") {
  for (const char* const empty : {"null", "[]", "{}", "\"\""}) {
    const std::string json = std::string(R"({"x": )") + empty + R"(, "name": "a"})";
    const JsonOutcome outcome = outcome_of<Tree>(json, with(UnknownFields::skip_empty));
    CHECK(outcome.error.empty());
    CHECK(outcome.skipped == std::vector<std::string>{"x (line 1, column 2)"});
  }
  for (const char* const full : {"false", "0", "0.0", "[null]", "{\"a\": null}", "\" \""}) {
    const std::string json = std::string(R"({"x": )") + full + R"(, "name": "a"})";
    CHECK(error_of<Tree>(json, with(UnknownFields::skip_empty)) == "x: unknown field 'x' (line 1, column 2)");
  }
}

TEST_CASE("an unknown union member is an error, or leaves the union unset") {
  const std::string json = R"({"name": "a", "choice": {"x": []}})";
  CHECK(error_of<Tree>(json) == "choice.x: unknown union member 'x' (line 1, column 26)");
  CHECK(error_of<Tree>(R"({"name": "a", "choice": {"x": 1}})", with(UnknownFields::skip_empty)) ==
        "choice.x: unknown union member 'x' (line 1, column 26)");
  CHECK(error_of<Choice>(R"({"unset": 1})") == "unset: unknown union member 'unset' (line 1, column 2)");
  for (const UnknownFields how : {UnknownFields::skip, UnknownFields::skip_empty}) {
    JsonReadOptions options = with(how);
    std::vector<schemagen::SkippedField> skipped;
    options.skipped = &skipped;
    const Tree tree = read_by_tape<Tree>(json, options);
    CHECK(tree.choice.value().kind() == Choice::unset);
    REQUIRE(skipped.size() == 1);
    CHECK(skipped[0].path == "choice.x");
    CHECK(place_text(skipped[0].place) == "(line 1, column 26)");
  }
}

TEST_CASE("a duplicate key is an error, even if it is skipped") {
  check_errors<Tree>(
      {{R"({"name": "a", "x": 1, "y": 2, "x": 1})", "x: duplicate key 'x' (line 1, column 31)"}},
      with(UnknownFields::skip));
  check_errors<Tree>(
      {{R"({"x": 1, "name": "a", "name": "b"})", "name: duplicate key 'name' (line 1, column 23)"}},
      with(UnknownFields::skip));
}

TEST_CASE("skipping many fields takes linear time") {
  // Quadratic time would be minutes.
  std::string json = R"({"name": "", "children": [)";
  for (int i = 0; i < 20000; ++i) json += std::string(i == 0 ? "" : ", ") + R"({"name": "n", "new": null})";
  json += "]";
  for (int i = 0; i < 20000; ++i) json += ", \"new" + std::to_string(i) + "\": null";
  json += "}";
  const auto start = std::chrono::steady_clock::now();
  const JsonOutcome outcome = outcome_of<Tree>(json, with(UnknownFields::skip_empty));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
  REQUIRE(outcome.skipped.size() == 40000);
  CHECK(outcome.skipped[19999] == "children[19999].new (line 1, column 560013)");
  CHECK(outcome.skipped[39999].substr(0, 9) == "new19999 ");
}

TEST_CASE("every kind of union member is read and written") {
  for (
      const char* const json :
      {R"({"nothing": []})", R"({"kind": 5})", R"({"get": "g"})", R"({"int": "i"})", R"({"blob": "AA=="})",
       R"({"anything": {"a":1}})", R"({"color": 9})", R"({"flags": [true, false]})", R"({"empty": {}})",
       R"({"tree": {"name": "", "left": null, "right": null, "children": [], "named": {}, "choice": null}})"}) {
    CHECK(rewritten<Choice>(json) == json);
  }
}

TEST_CASE("a union is an object with exactly one key") {
  check_errors<std::vector<Choice>>({
      {"[{}]", "[0]: expected exactly one key in a union, found 0 (line 1, column 2)"},
      {R"([{"int": "", "kind": 1}])", "[0]: expected exactly one key in a union, found 2 (line 1, column 2)"},
      {R"([{"int": "", "int": ""}])", "[0]: expected exactly one key in a union, found 2 (line 1, column 2)"},
      {R"([{"int": "", "x": null, "y": 1}])",
       "[0]: expected exactly one key in a union, found 3 (line 1, column 2)"},
      {R"([{"int": null}])", "[0].int: expected a string, found null (line 1, column 10)"},
      {"[null]", "[0]: expected an object with one key, found null (line 1, column 2)"},
      {"[[]]", "[0]: expected an object with one key, found a list (line 1, column 2)"},
      {R"(["int"])", "[0]: expected an object with one key, found a string (line 1, column 2)"},
      {"[1]", "[0]: expected an object with one key, found an integer (line 1, column 2)"},
  });
}

namespace {

template <class T>
void check_kinds(const std::string& wanted, const std::vector<std::string>& taken) {
  const std::vector<Case> kinds = {
      {"null", "null"},
      {"true", "a bool"},
      {"false", "a bool"},
      {"1", "an integer"},
      {"9223372036854775808", "an integer"},
      {"1e1", "a float"},
      {"-1.5", "a float"},
      {"\"x\"", "a string"},
      {"[1]", "a list"},
      {R"({"a": 1})", "an object"},
  };
  for (const Case& kind : kinds) {
    CAPTURE(wanted, kind.json);
    const JsonOutcome outcome = outcome_of<std::vector<T>>("[" + kind.json + "]");
    if (std::find(taken.begin(), taken.end(), kind.json) != taken.end()) {
      CHECK(outcome.error.substr(0, outcome.error.find(", found")) != "[0]: expected " + wanted);
    } else {
      CHECK(outcome.error ==
            "[0]: expected " + wanted + ", found " + kind.result + " (line 1, column 2) at byte 1");
    }
  }
}

}  // namespace

TEST_CASE("a value of another kind is an error that names both") {
  check_kinds<bool>("true or false", {"true", "false"});
  check_kinds<std::int64_t>("an integer", {"1", "9223372036854775808"});
  check_kinds<double>("a number", {"1", "9223372036854775808", "1e1", "-1.5", "\"x\""});
  check_kinds<std::string>("a string", {"\"x\""});
  check_kinds<Bytes>("a string", {"\"x\""});
  check_kinds<Unit>("an empty list", {});
  check_kinds<Color>("an integer", {"1", "9223372036854775808"});
  check_kinds<std::vector<std::int64_t>>("a list", {"[1]"});
  check_kinds<std::vector<bool>>("a list", {"[1]"});
  check_kinds<Map<std::int64_t>>("an object", {R"({"a": 1})"});
  check_kinds<Empty>("an object", {R"({"a": 1})"});
  check_kinds<Choice>("an object with one key", {R"({"a": 1})"});
  check_kinds<std::optional<bool>>("true or false", {"null", "true", "false"});
  check_kinds<Json>("any value", {"null", "true", "false", "1", "9223372036854775808", "1e1", "-1.5", "\"x\"",
                                  "[1]", R"({"a": 1})"});
}

TEST_CASE("an integer is an integer of 64 bits") {
  const std::string no_fit = "[0]: the integer does not fit in 64 bits (line 1, column 2)";
  const std::string fraction = "[0]: expected an integer, found a float (line 1, column 2)";
  check_values<std::vector<std::int64_t>>({
      {"[0, -0, 9223372036854775807, -9223372036854775808]",
       "[0, 0, 9223372036854775807, -9223372036854775808]"},
      {"[ 1 ,\r\n\t2 ]", "[1, 2]"},
  });
  check_errors<std::vector<std::int64_t>>({
      {"[9223372036854775808]", no_fit},
      {"[18446744073709551615]", no_fit},
      {"[18446744073709551616]", no_fit},
      {"[-9223372036854775809]", no_fit},
      {"[1000000000000000000000000000000]", no_fit},
      {"[-1000000000000000000000000000000]", no_fit},
      {"[3.0]", fraction},
      {"[1e3]", fraction},
      {"[1E3]", fraction},
      {"[0.0]", fraction},
      {"[\"3\"]", "[0]: expected an integer, found a string (line 1, column 2)"},
  });
}

TEST_CASE("an enum is any 32-bit number, named or not") {
  check_values<std::vector<Color>>(
      {{"[0, 2, -7, 1, 99, 2147483647, -2147483648]", "[0, 2, -7, 1, 99, 2147483647, -2147483648]"}});
  check_errors<std::vector<Color>>({
      {"[2147483648]", "[0]: the enum number 2147483648 does not fit in 32 bits (line 1, column 2)"},
      {"[0, -2147483649]", "[1]: the enum number -2147483649 does not fit in 32 bits (line 1, column 5)"},
      {"[9223372036854775808]", "[0]: the integer does not fit in 64 bits (line 1, column 2)"},
      {"[2.0]", "[0]: expected an integer, found a float (line 1, column 2)"},
      {"[\"RED\"]", "[0]: expected an integer, found a string (line 1, column 2)"},
  });
}

TEST_CASE("an enum that JSON spells by name is read by name or number, and written by name if it has one") {
  using everything::Level;
  check_values<std::vector<Level>>({{R"(["LOW", "HIGH", "class"])", R"(["LOW", "HIGH", "class"])"},
                                    {R"([10, -3, "LOW"])", R"(["HIGH", "class", "LOW"])"},
                                    {"[11, -2147483648]", "[11, -2147483648]"},
                                    {R"(["\u004cOW"])", R"(["LOW"])"}});
  CHECK(from_json<Level>("\"class\"") == Level::class_);
  CHECK(rewritten<everything::Keyed>("{}") ==
        R"({"level": "HIGH", "levels": [], "by_number": {}, "by_color": {}, "by_level": {}})");
  check_errors<everything::Keyed>({
      {R"({"level": "HIHG"})",
       "level: the enum 'Level' has no member 'HIHG', did you mean 'HIGH'? (line 1, column 11)"},
      {R"({"levels": ["LOW", ""]})", "levels[1]: the enum 'Level' has no member '' (line 1, column 20)"},
      {R"({"level": "10"})", "level: the enum 'Level' has no member '10' (line 1, column 11)"},
      {R"({"level": null})", "level: expected an integer, found null (line 1, column 11)"},
      {R"({"level": 2147483648})",
       "level: the enum number 2147483648 does not fit in 32 bits (line 1, column 11)"},
  });
}

TEST_CASE("bytes are base64 text") {
  check_values<std::vector<Bytes>>(
      {{R"(["", "Zg==", "Zg", "Zm9vYmFy", "\u005ag"])", R"(["", "Zg==", "Zg==", "Zm9vYmFy", "Zg=="])"}});
  check_errors<std::vector<Bytes>>({
      {R"(["Zg="])", "[0]: the string is not valid base64 (line 1, column 2)"},
      {R"(["Z"])", "[0]: the string is not valid base64 (line 1, column 2)"},
      {R"(["Zm9-"])", "[0]: the string is not valid base64 (line 1, column 2)"},
      {R"(["Zm9v\n"])", "[0]: the string is not valid base64 (line 1, column 2)"},
      {R"(["Zh=="])", "[0]: the string is not valid base64 (line 1, column 2)"},
  });
}

TEST_CASE("the unit is an empty list") {
  check_values<std::vector<Unit>>({{"[[], [ ]]", "[[], []]"}});
  check_errors<std::vector<Unit>>({
      {"[[[]]]", "[0]: expected an empty list, found a list (line 1, column 2)"},
      {"[{}]", "[0]: expected an empty list, found an object (line 1, column 2)"},
  });
}

TEST_CASE("a float is any JSON number or one of three strings") {
  check_values<std::vector<double>>({
      {"[1, -2, 9007199254740993, 9223372036854775808, 18446744073709551615, -9223372036854775809]",
       "[1.0, -2.0, 9007199254740992.0, 9.223372036854776e+18, 1.8446744073709552e+19, "
       "-9.223372036854776e+18]"},
      {"[100000000000000000000000000000000000000000000000000]", "[1e+50]"},
      {"[1.5, 1E2, 1e+2, 1e-2, 0.1, 123456789012345678901234567890.5]",
       "[1.5, 100.0, 100.0, 0.01, 0.1, 1.2345678901234568e+29]"},
      {"[0, -0, 0.0, -0.0, 0e0, -0e5]", "[0.0, -0.0, 0.0, -0.0, 0.0, -0.0]"},
      {"[5e-324, 4.9406564584124654e-324, 2.2250738585072014e-308, 2.225073858507201e-308, -3e-320]",
       "[5e-324, 5e-324, 2.2250738585072014e-308, 2.225073858507201e-308, -3e-320]"},
      {"[1.7976931348623157e308, -1.7976931348623157e+308, 1.7976931348623158e308]",
       "[1.7976931348623157e+308, -1.7976931348623157e+308, 1.7976931348623157e+308]"},
      {R"(["NaN", "Infinity", "-Infinity", "\u004eaN"])", R"(["NaN", "Infinity", "-Infinity", "NaN"])"},
  });
}

TEST_CASE("a number too small for a float is zero, a number too large is an error") {
  const std::string too_large = "[0]: the number is too large for a 64-bit float (line 1, column 2)";
  const std::string zeros(400, '0');
  check_values<std::vector<double>>({
      {"[1e-400, -1e-400, 2.4e-324, 1.5e-324000000000000000000, 1e-99999999999999999999999]",
       "[0.0, -0.0, 0.0, 0.0, 0.0]"},
      {"[0." + zeros + "1, 0." + zeros + "1e10, -12345e-400]", "[0.0, 0.0, -0.0]"},
      {"[0e308, -0E+0308, 0e-999999999999999999999]", "[0.0, -0.0, 0.0]"},
      {"[0." + zeros + "1e401]", "[1.0]"},
  });
  check_errors<std::vector<double>>({
      {"[1e400]", too_large},
      {"[-1e400]", too_large},
      {"[1e309]", too_large},
      {"[1.7976931348623159e308]", too_large},
      {"[17976931348623159e292]", too_large},
      {"[1.5e99999999999999999999999]", too_large},
      {"[1" + zeros + "]", too_large},
      {"[-1" + zeros + ".0]", too_large},
      {"[0." + zeros + "1e900]", too_large},
      {"[1" + zeros + ".5e-10]", too_large},
      {"[1, 1e400]", "[1]: the number is too large for a 64-bit float (line 1, column 5)"},
  });
  CHECK(error_of<Json>("{\"a\": 1e400}") ==
        "a: the number is too large for a 64-bit float (line 1, column 7)");
}

TEST_CASE("numbers with large exponents or many digits may be small") {
  CHECK(rewritten<double>("0e309") == "0.0");
  CHECK(rewritten<double>("1" + std::string(309, '0') + "e-309") == "1.0");
}

TEST_CASE("other strings are not floats") {
  for (const char* const json : {R"([""])", R"(["nan"])", R"(["Inf"])", R"(["inf"])", R"(["+Infinity"])",
                                 R"(["-NaN"])", R"(["1.5"])", R"([" NaN"])", R"(["NaN "])", R"(["NAN"])"}) {
    CAPTURE(json);
    CHECK(error_of<std::vector<double>>(json) ==
          "[0]: expected a number, \"NaN\", \"Infinity\" or \"-Infinity\", found a different string (line 1, "
          "column 2)");
  }
}

TEST_CASE("bare NaN and Infinity are read only if the options say so") {
  const std::string refused = "bare NaN and Infinity are not JSON; hint: write them as strings";
  check_errors<std::vector<double>>({
      {"[NaN]", "[0]: " + refused + " (line 1, column 2)"},
      {"[1,\n -Infinity]", "[1]: " + refused + " (line 2, column 2)"},
      {"[Infinity, x", "[1]: expected a value (line 1, column 12)"},
  });
  CHECK(error_of<double>("Infinity") == refused + " (line 1, column 1)");
  CHECK(error_of<Tree>(R"({"x": [1, NaN]})") == "x[1]: " + refused + " (line 1, column 11)");
  CHECK(error_of<Json>(R"({"x": [1, {"y": NaN}]})") == "x[1].y: " + refused + " (line 1, column 17)");

  check_values<std::vector<double>>(
      {{"[NaN, Infinity,-Infinity, 1 , NaN]", R"(["NaN", "Infinity", "-Infinity", 1.0, "NaN"])"}},
      with_bare_nonfinite());
  CHECK(rewritten<double>(" -Infinity", with_bare_nonfinite()) == "\"-Infinity\"");
  check_errors<std::vector<std::int64_t>>(
      {{"[NaN]", "[0]: expected an integer, found a float (line 1, column 2)"}}, with_bare_nonfinite());
  check_errors<std::vector<std::string>>(
      {{"[NaN]", "[0]: expected a string, found a float (line 1, column 2)"}}, with_bare_nonfinite());
}

TEST_CASE("other spellings of NaN and Infinity are never read") {
  for (const JsonReadOptions& options : {JsonReadOptions(), with_bare_nonfinite()}) {
    check_errors<std::vector<double>>(
        {
            {"[Inf]", "[0]: expected a value (line 1, column 2)"},
            {"[-Inf]", "[0]: expected a value (line 1, column 2)"},
            {"[-NaN]", "[0]: expected a value (line 1, column 2)"},
            {"[nan]", "[0]: expected a value (line 1, column 3)"},
            {"[inf]", "[0]: expected a value (line 1, column 2)"},
            {"[infinity]", "[0]: expected a value (line 1, column 2)"},
            {"[NAN]", "[0]: expected a value (line 1, column 3)"},
            {"[+Infinity]", "[0]: expected a value (line 1, column 2)"},
            {"[Infinit]", "[0]: expected a value (line 1, column 9)"},
            {"[NaNs]", "[1]: expected ',' or ']' in an array (line 1, column 5)"},
            {"[NaN(1)]", "[1]: expected ',' or ']' in an array (line 1, column 5)"},
        },
        options);
  }
}

TEST_CASE("an Any keeps its JSON byte for byte") {
  const std::vector<std::string> values = {
      "1.50",
      "-0",
      "1e5",
      "100000000000000000000000",
      "1E+2",
      "\"\\u0041\\/ ]},:\\\" \xc3\xa9\"",
      "\"\"",
      "[ 1 , [ ] , {  } ]",
      "{\"a\" :\n\t[ 1.50,\r\n{\"b\\\"\": {\"a\":  true}} ] ,\"b\": null}",
      "[[[[]]]]",
      "[]",
      "{}",
      "true",
      "null",
  };
  std::string json = "[";
  for (const std::string& value : values) json += (json == "[" ? "" : " ,\n ") + value;
  json += " ]";
  const auto read = read_by_tape<std::vector<Json>>(json);
  REQUIRE(read.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(read[i].text == values[i]);
  for (const std::string& value : values) CHECK(rewritten<Json>("\n " + value + " \n") == value);
}

TEST_CASE("an Any that other readers could read differently is an error") {
  CHECK(error_of<std::vector<Json>>(R"([1, {"a": [{"b": 1, "\u0062": 2}]}])") ==
        "[1]: the value has the duplicate key 'b' (line 1, column 5)");
  CHECK(error_of<std::vector<Json>>("[[1e400]]") ==
        "[0][0]: the number is too large for a 64-bit float (line 1, column 3)");
}

TEST_CASE("an Any may be between other fields") {
  const std::string containers =
      R"({"flags": [], "matrix": [[1, 2.50]], "values": [1.50, {"x": [1, 2]}, "s"],)"
      R"( "by_name": {"k": [{"n": 1}]}})";
  CHECK(
      rewritten<Containers>(containers) ==
      R"({"flags": [], "blobs": [], "matrix": [[1.0, 2.5]], "by_name": {"k": [{"n": 1}]}, "choices": null, )"
      R"("colors": {}, "units": [], "values": [1.50, {"x": [1, 2]}, "s"]})");
}

TEST_CASE("an Any cannot contain a bare NaN") {
  CHECK(error_of<std::vector<Json>>("[1, {\"a\": [Infinity]}]", with_bare_nonfinite()) ==
        "[1].a[0]: cannot preserve a bare NaN or Infinity (line 1, column 12)");
  CHECK(rewritten<Containers>(R"({"flags": [], "matrix": [[NaN]], "by_name": {}, "values": [[1], "NaN"]})",
                              with_bare_nonfinite()) ==
        R"({"flags": [], "blobs": [], "matrix": [["NaN"]], "by_name": {}, "choices": null, "colors": {}, )"
        R"("units": [], "values": [[1], "NaN"]})");
}

TEST_CASE("invalid JSON is an error with path, line and column") {
  check_errors<std::vector<Json>>({
      {"", "the document is empty (line 1, column 1)"},
      {" \n ", "the document is empty (line 2, column 2)"},
      {"[", "[0]: expected a value (line 1, column 2)"},
      {"]", "expected a value (line 1, column 1)"},
      {"{", "expected a key in double quotes (line 1, column 2)"},
      {"}", "expected a value (line 1, column 1)"},
      {"[1", "[1]: expected ',' or ']' in an array (line 1, column 3)"},
      {"[1 2]", "[1]: expected ',' or ']' in an array (line 1, column 4)"},
      {"[1;2]", "[1]: expected ',' or ']' in an array (line 1, column 3)"},
      {"[1}", "[1]: expected ',' or ']' in an array (line 1, column 3)"},
      {"[1,]", "[1]: expected a value (line 1, column 4)"},
      {"[,1]", "[0]: expected a value (line 1, column 2)"},
      {"[1,,2]", "[1]: expected a value (line 1, column 4)"},
      {"{\"a\"", "a: expected ':' after the key (line 1, column 5)"},
      {"{\"a\" 1}", "a: expected ':' after the key (line 1, column 6)"},
      {"{\"a\": }", "a: expected a value (line 1, column 7)"},
      {"{\"a\": 1", "expected ',' or '}' in an object (line 1, column 8)"},
      {"{\"a\": 1]", "expected ',' or '}' in an object (line 1, column 8)"},
      {"{\"a\": 1 \"b\": 2}", "expected ',' or '}' in an object (line 1, column 9)"},
      {"{\"a\": 1,}", "expected a key in double quotes (line 1, column 9)"},
      {"{\"a\": 1,\n}", "expected a key in double quotes (line 2, column 1)"},
      {"{a: 1}", "expected a key in double quotes (line 1, column 2)"},
      {"{1: 1}", "expected a key in double quotes (line 1, column 2)"},
      {"{null: 1}", "expected a key in double quotes (line 1, column 2)"},
      {"['a']", "[0]: expected a value (line 1, column 2)"},
      {"[\"a]", "[0]: the string has no closing quote (line 1, column 5)"},
      {"{\"a", "the string has no closing quote (line 1, column 4)"},
      {"[1 /* c */]", "[1]: expected ',' or ']' in an array (line 1, column 4)"},
      {"// c\n[]", "expected a value (line 1, column 1)"},
      {"[tru]", "[0]: expected a value (line 1, column 5)"},
      {"[True]", "[0]: expected a value (line 1, column 2)"},
      {"[nul", "[0]: expected a value (line 1, column 5)"},
      {"[falsey]", "[1]: expected ',' or ']' in an array (line 1, column 7)"},
      {"[undefined]", "[0]: expected a value (line 1, column 2)"},
      {"[{\"a\": [1, {\"b\": x}]}]", "[0].a[1].b: expected a value (line 1, column 18)"},
      {"[\n[1],\n [2, x]]", "[1][1]: expected a value (line 3, column 6)"},
  });
}

TEST_CASE("numbers must follow JSON's grammar") {
  check_errors<std::vector<double>>({
      {"[+1]", "[0]: expected a value (line 1, column 2)"},
      {"[.5]", "[0]: expected a value (line 1, column 2)"},
      {"[-]", "[0]: expected a value (line 1, column 3)"},
      {"[--1]", "[0]: expected a value (line 1, column 3)"},
      {"[- 1]", "[0]: expected a value (line 1, column 3)"},
      {"[-.5]", "[0]: expected a value (line 1, column 3)"},
      {"[1.]", "[0]: expected a digit after the decimal point (line 1, column 4)"},
      {"[1.e5]", "[0]: expected a digit after the decimal point (line 1, column 4)"},
      {"[1e]", "[0]: expected a digit in the exponent (line 1, column 4)"},
      {"[1e+]", "[0]: expected a digit in the exponent (line 1, column 5)"},
      {"[1e.5]", "[0]: expected a digit in the exponent (line 1, column 4)"},
      {"[01]", "[1]: expected ',' or ']' in an array (line 1, column 3)"},
      {"[-01]", "[1]: expected ',' or ']' in an array (line 1, column 4)"},
      {"[00]", "[1]: expected ',' or ']' in an array (line 1, column 3)"},
      {"[0x10]", "[1]: expected ',' or ']' in an array (line 1, column 3)"},
      {"[1_000]", "[1]: expected ',' or ']' in an array (line 1, column 3)"},
      {"[1.5.5]", "[1]: expected ',' or ']' in an array (line 1, column 5)"},
      {"[1e5e5]", "[1]: expected ',' or ']' in an array (line 1, column 5)"},
      {"[1f]", "[1]: expected ',' or ']' in an array (line 1, column 3)"},
      {"[1\"2\"]", "[1]: expected ',' or ']' in an array (line 1, column 3)"},
  });
}

TEST_CASE("only white space may follow the value") {
  const std::string trailing = "there is text after the end of the document ";
  check_errors<std::vector<std::int64_t>>({
      {"[1]]", trailing + "(line 1, column 4)"},
      {"[1]x", trailing + "(line 1, column 4)"},
      {"[1] []", trailing + "(line 1, column 5)"},
      {"[1]\n\n  ,", trailing + "(line 3, column 3)"},
      {"[1]\xc2\xa0", trailing + "(line 1, column 4)"},  // a no-break space
  });
  check_errors<std::int64_t>(
      {{"1 2", trailing + "(line 1, column 3)"}, {"1,", trailing + "(line 1, column 2)"}});
  CHECK(rewritten<std::vector<std::int64_t>>(" \t\r\n[1] \t\r\n") == "[1]");
}

TEST_CASE("a byte order mark is an error") {
  CHECK(error_of<Json>("\xef\xbb\xbf[]") == "the text begins with a byte order mark (line 1, column 1)");
}

TEST_CASE("bytes past the end of the text are ignored") {
  // These would continue the last token.
  for (const auto& [json, after] :
       {std::pair("12", "34"), std::pair("1", ".5e"), std::pair("true", "e"), std::pair("[1]", "]"),
        std::pair("\"a\"", "\""), std::pair("null", "{")}) {
    const std::string padded = json + std::string(after) + std::string(64, '"');
    JsonReadOptions options;
    options.readable_after = 64;
    CHECK(rewritten<Json>(std::string_view(padded).substr(0, std::string_view(json).size()), options) ==
          json);
  }
  const std::string padded = "tru" + std::string("e") + std::string(64, ' ');
  JsonReadOptions options;
  options.readable_after = 64;
  CHECK(error_of<Json>(std::string_view(padded).substr(0, 3), options) ==
        "expected a value (line 1, column 4)");
}

TEST_CASE("text that is not UTF-8 is an error") {
  for (const char* const bad : {"\x80",
                                "\xbf",
                                "\xc0\x80",
                                "\xc1\xbf",
                                "\xc2",
                                "\xc2\xc2",
                                "\xe0\x80\x80",
                                "\xe0\x9f\xbf",
                                "\xe2\x82",
                                "\xe2\x28\xa1",
                                "\xe2\x82\x28",
                                "\xed\xa0\x80",
                                "\xed\xbf\xbf",
                                "\xed\xa0\xbd\xed\xb8\x80",
                                "\xf0\x80\x80\x80",
                                "\xf0\x8f\xbf\xbf",
                                "\xf0\x9f\x98",
                                "\xf0\x9f\x28\x80",
                                "\xf4\x90\x80\x80",
                                "\xf5\x80\x80\x80",
                                "\xf8\x88\x80\x80\x80",
                                "\xfe",
                                "\xff"}) {
    const std::string is_bad = "the text is not valid UTF-8 ";
    check_errors<std::vector<Json>>({
        {"[\"ok\", \"a\xc3\xa9" + std::string(bad) + "\"]", "[1]: " + is_bad + "(line 1, column 12)"},
        {"[{\"k" + std::string(bad) + "\": 1}]", "[0]: " + is_bad + "(line 1, column 5)"},
        {"[1, " + std::string(bad) + "]", "[1]: " + is_bad + "(line 1, column 5)"},
        {"[]\n" + std::string(bad), is_bad + "(line 2, column 1)"},
    });
  }
  check_values<std::vector<std::string>>({
      {"[\"\x7f \xc2\x80 \xdf\xbf \xe0\xa0\x80 \xed\x9f\xbf \xee\x80\x80 \xef\xbf\xbf\"]",
       R"(["\u007f \u0080 \u07ff \u0800 \ud7ff \ue000 \uffff"])"},
      {"[\"\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf\"]", R"(["\ud800\udc00 \udbff\udfff"])"},
  });
}

TEST_CASE("a lone surrogate is an error wherever it is escaped") {
  const std::string lone = "the string has a lone surrogate ";
  for (const char* const bad :
       {R"(\ud800)", R"(\udbff)", R"(\udc00)", R"(\uDFFF)", R"(\ud800\ud800)", R"(\ud800\u0041)",
        R"(\ud800x)", R"(\ud800\n)", R"(\udc00\ud800)", R"(\udbff\ud7ff)", R"(\ud800\ue000)",
        R"(\uDE00\uD83D)", R"(\ud800\\udc00)"}) {
    check_errors<std::vector<Json>>({
        {"[\"ok\", \"a" + std::string(bad) + "\"]", "[1]: " + lone + "(line 1, column 10)"},
        {"[{\"k" + std::string(bad) + "\": 1}]", "[0]: " + lone + "(line 1, column 5)"},
    });
  }
  check_values<std::vector<std::string>>({
      {R"(["\ud83d\ude00 \uD83D\uDE00 \ud800\udc00 \udbff\udfff"])",
       R"(["\ud83d\ude00 \ud83d\ude00 \ud800\udc00 \udbff\udfff"])"},
      {R"(["\\ud800 \\\\udc00 \ud7ff \ue000"])", R"(["\\ud800 \\\\udc00 \ud7ff \ue000"])"},
      {R"(["\ud83d\ude00\ud83d\ude00"])", R"(["\ud83d\ude00\ud83d\ude00"])"},
  });
  CHECK(error_of<Json>(R"(["\ud800", x)") == "[0]: " + lone + "(line 1, column 3)");
  CHECK(error_of<Json>(R"([x, "\ud800"])") == "[0]: expected a value (line 1, column 2)");
  CHECK(error_of<Json>("[\"\\ud83d\\ude00\", \"\xff\"]") ==
        "[1]: the text is not valid UTF-8 (line 1, column 19)");
}

TEST_CASE("only JSON's escapes are accepted") {
  check_values<std::vector<std::string>>({{R"(["\" \\ \/ \b \f \n \r \t \u0000 \u001f \u00E9"])",
                                           R"(["\" \\ / \b \f \n \r \t \u0000 \u001f \u00e9"])"}});
  check_errors<std::vector<std::string>>({
      {R"(["a\x41"])", "[0]: the string has an invalid escape (line 1, column 4)"},
      {R"(["a\'"])", "[0]: the string has an invalid escape (line 1, column 4)"},
      {R"(["a\U0041"])", "[0]: the string has an invalid escape (line 1, column 4)"},
      {"[\"a\\\n\"]", "[0]: the string has an invalid escape (line 1, column 4)"},
      {R"(["a\)", "[0]: the string has an invalid escape (line 1, column 4)"},
      {R"(["\u12"])", R"([0]: expected four hexadecimal digits after \u (line 1, column 3))"},
      {R"(["\u12g4"])", R"([0]: expected four hexadecimal digits after \u (line 1, column 3))"},
      {R"(["\u+123"])", R"([0]: expected four hexadecimal digits after \u (line 1, column 3))"},
      {R"(["\u 123"])", R"([0]: expected four hexadecimal digits after \u (line 1, column 3))"},
      {R"(["\ud83d\u12"])", R"([0]: the string has a lone surrogate (line 1, column 3))"},
      {R"(["\u)", R"([0]: expected four hexadecimal digits after \u (line 1, column 3))"},
  });
}

TEST_CASE("control characters must be escaped") {
  for (char c = 0; c < 0x20; ++c) {
    const bool is_space = c == '\t' || c == '\n' || c == '\r';
    const std::string bad(1, c);
    CAPTURE(static_cast<int>(c));
    // Parsers treat long strings differently.
    for (const std::size_t before : {1u, 15u, 16u, 40u}) {
      CHECK(error_of<std::vector<Json>>("[\"" + std::string(before, 'x') + bad + std::string(40, 'y') +
                                        "\"]") ==
            std::string(is_space ? "[0]: the string has an unescaped control character"
                                 : "[0]: the text has a control character") +
                " (line 1, column " + std::to_string(before + 3) + ")");
    }
    if (is_space) {
      CHECK(rewritten<std::vector<Json>>(bad + "[1" + bad + "," + bad + "2]" + bad) == "[1, 2]");
    } else {
      CHECK(error_of<std::vector<Json>>("[1" + bad + "]") ==
            "[1]: the text has a control character (line 1, column 3)");
      CHECK(error_of<std::vector<Json>>("[]" + bad) == "the text has a control character (line 1, column 3)");
      CHECK(error_of<std::vector<Json>>(bad + "[]") == "the text has a control character (line 1, column 1)");
      CHECK(error_of<std::int64_t>("1" + bad) == "the text has a control character (line 1, column 2)");
    }
  }
  CHECK(rewritten<std::string>("\"\x7f\"") == R"("\u007f")");
}

TEST_CASE("the depth limit counts every kind of bracket") {
  const auto lists = [](std::size_t n) { return repeat("[", n) + repeat("]", n); };
  const auto objects = [](std::size_t n) { return repeat("{\"a\":", n) + "1" + repeat("}", n); };
  const auto both = [](std::size_t n) { return repeat("[{\"a\":", n / 2) + "{}" + repeat("}]", n / 2); };
  const std::string too_deep = ": nested more than 256 levels deep ";
  using schemagen::shortened;
  CHECK(outcome_of<Json>(lists(256)).error.empty());
  CHECK(outcome_of<Json>(objects(256)).error.empty());
  CHECK(outcome_of<Json>(both(254)).error.empty());
  CHECK(error_of<Json>(lists(257)) == shortened(repeat("[0]", 256)) + too_deep + "(line 1, column 257)");
  CHECK(error_of<Json>(objects(257)) ==
        shortened("a" + repeat(".a", 255)) + too_deep + "(line 1, column 1281)");
  CHECK(error_of<Json>(both(256)) == shortened(repeat("[0].a", 128)) + too_deep + "(line 1, column 769)");
  CHECK(error_of<Json>(repeat("[", 100000)) ==
        shortened(repeat("[0]", 256)) + too_deep + "(line 1, column 257)");
  CHECK(error_of<Json>(repeat("{\"a\":", 100000)) ==
        shortened("a" + repeat(".a", 255)) + too_deep + "(line 1, column 1281)");
  CHECK(error_of<Tree>(repeat("{\"left\":", 100000)) ==
        shortened("left" + repeat(".left", 255)) + too_deep + "(line 1, column 2049)");

  for (const std::size_t depth : {0u, 1u, 2u, 3u}) {
    JsonReadOptions options;
    options.limits.depth = depth;
    CAPTURE(depth);
    CHECK(rewritten<Json>("1", options) == "1");
    for (std::size_t n = 1; n <= 5; ++n) {
      for (const std::string& json : {lists(n), objects(n), "[0, " + lists(n - 1) + ", 0]"}) {
        CAPTURE(json);
        CHECK(outcome_of<Json>(json, options).error.empty() ==
              (n <= depth || (n == 1 && json == "[0, , 0]")));
        if (n == 1) break;
      }
    }
  }
}

TEST_CASE("the depth limit can be raised") {
  JsonReadOptions options;
  options.limits.depth = 1000;
  const std::string tree = repeat(R"({"name": "", "left": )", 999) + "null" + repeat("}", 999);
  CHECK(outcome_of<Json>(tree, options).error.empty());
  Tree read = read_by_tape<Tree>(tree, options);
  std::size_t depth = 1;
  for (const Tree* at = &read; at->left; at = &**at->left) ++depth;
  CHECK(depth == 999);
  options.limits.depth = std::numeric_limits<std::size_t>::max();
  CHECK(rewritten<Json>("[[]]", options) == "[[]]");
}

TEST_CASE("the size of a document is limited") {
  JsonReadOptions options;
  options.limits.input_bytes = 5;
  CHECK(rewritten<Json>("[ 1 ]", options) == "[ 1 ]");
  CHECK(error_of<Json>("[ 1  ]", options) == "a document of 6 bytes, over the limit of 5");
  options.limits.input_bytes = std::numeric_limits<std::size_t>::max();
  CHECK(rewritten<Json>("[ 1 ]", options) == "[ 1 ]");
}

TEST_CASE("the memory limit is exact and the same for all readers") {
  // A tape has a word of eight bytes per bracket, two per number, and one at each end.
  const std::string text = "[1, [2], 345]";
  const std::size_t parsed = 8 * 12 + text.size();
  JsonReadOptions options;
  options.limits.memory_bytes = parsed;
  CHECK(rewritten<Json>(text, options) == text);
  --options.limits.memory_bytes;
  const auto complaint = [&] {
    return "needs more memory than the limit of " + std::to_string(options.limits.memory_bytes) + " bytes ";
  };
  CHECK(error_of<Json>(text, options).find(complaint()) != std::string::npos);
  for (options.limits.memory_bytes = 0; options.limits.memory_bytes < parsed; ++options.limits.memory_bytes) {
    CHECK(error_of<Json>(text, options).find(complaint()) != std::string::npos);
  }

  const std::string list = "[1, 2, 3]";
  options.limits.memory_bytes =
      8 * 10 + list.size() + 3 * sizeof(std::int64_t) + schemagen::MemoryBudget::kPerBlock;
  CHECK(rewritten<std::vector<std::int64_t>>(list, options) == list);
  --options.limits.memory_bytes;
  CHECK(error_of<std::vector<std::int64_t>>(list, options) == "[0]: " + complaint() + "(line 1, column 2)");
}

TEST_CASE("a list of small numbers takes no more memory than the limit") {
  const std::string text = "[" + repeat("1,", 1 << 20) + "1]";
  JsonReadOptions options;
  options.limits.memory_bytes = std::size_t{16} << 20;
  CHECK(error_of<std::vector<std::int64_t>>(text, options).find("needs more memory than the limit") !=
        std::string::npos);
  options.limits.memory_bytes = std::size_t{32} << 20;
  CHECK(outcome_of<std::vector<std::int64_t>>(text, options).error.empty());
}

TEST_CASE("the size of a string is limited") {
  JsonReadOptions options;
  options.limits.string_bytes = 4;
  CHECK(rewritten<std::vector<std::string>>(R"(["abcd", "\u00e9\u00e9"])", options) ==
        R"(["abcd", "\u00e9\u00e9"])");
  CHECK(error_of<std::vector<std::string>>(R"(["", "abcde"])", options) ==
        "[1]: a string of 5 bytes, over the limit of 4 (line 1, column 6)");
  CHECK(rewritten<std::vector<Bytes>>(R"(["AAECAw=="])", options) == R"(["AAECAw=="])");
  CHECK(error_of<std::vector<Bytes>>(R"(["AAECAwQ="])", options) ==
        "[0]: a string of 5 bytes, over the limit of 4 (line 1, column 2)");
  CHECK(error_of<Map<std::int64_t>>(R"({"abcd": 1, "abcde": 2})", options) ==
        "abcde: a string of 5 bytes, over the limit of 4 (line 1, column 13)");
  CHECK(error_of<std::vector<Json>>("[[1], [1, 2]]", options) ==
        "[1]: a value of 6 bytes, over the limit of 4 (line 1, column 7)");
}

TEST_CASE("the number of items is limited") {
  JsonReadOptions options;
  options.limits.container_items = 2;
  CHECK(rewritten<std::vector<bool>>("[true, true]", options) == "[true, true]");
  CHECK(error_of<std::vector<bool>>("[true, true, true]", options) ==
        "3 items, over the limit of 2 (line 1, column 1)");
  CHECK(error_of<std::vector<std::vector<std::int64_t>>>("[[1], [1, 2, 3]]", options) ==
        "[1]: 3 items, over the limit of 2 (line 1, column 7)");
  CHECK(error_of<Map<std::int64_t>>(R"({"a": 1, "b": 2, "c": 3})", options) ==
        "3 items, over the limit of 2 (line 1, column 1)");
}

TEST_CASE("more items than a tape word can count are counted") {
  const std::size_t many = (std::size_t{1} << 24) + 1;
  std::string json = "[";
  json.reserve(2 * many + 1);
  for (std::size_t i = 0; i < many; ++i) json += "1,";
  json.back() = ']';
  CHECK(outcome_of_one<std::vector<std::int64_t>>(json, {}).error ==
        "16777217 items, over the limit of 16777216 (line 1, column 1) at byte 0");
}

TEST_CASE("a list of the wrong type allocates nothing for its items") {
  // A Wide has more than 10,000 bytes: reserving all would take over 1 GB.
  std::string json = "[";
  for (int i = 0; i < 100000; ++i) json += "1,";
  json.back() = ']';
  CHECK(error_of<std::vector<wide::Wide>>(json) ==
        "[0]: expected an object, found an integer (line 1, column 2)");
}

namespace {

std::string wide_text(const std::vector<std::size_t>& order) {
  static const char* const kValues[] = {"1", "\"s\"", "true", "0.5", "null", "[\"a\"]"};
  std::string json = "{";
  for (const std::size_t i : order) {
    if (json.size() > 1) json += ", ";
    json += "\"field_" + std::to_string(i) + "\": " + kValues[i % 6];
  }
  return json + "}";
}

std::vector<std::size_t> up_to_1000() {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < 1000; ++i) order.push_back(i);
  return order;
}

}  // namespace

TEST_CASE("a struct of 1000 fields is read in any order; missing and duplicate fields are errors") {
  const std::vector<std::size_t> order = up_to_1000();
  const std::string in_order = wide_text(order);
  CHECK(rewritten<wide::Wide>(in_order) == in_order);
  CHECK(rewritten<wide::Wide>(wide_text({order.rbegin(), order.rend()})) == in_order);

  std::vector<std::size_t> without = order;
  without.erase(without.begin() + 501);
  CHECK(error_of<wide::Wide>(wide_text(without)) ==
        "the required field 'field_501' is missing (line 1, column 1)");
  without.pop_back();
  CHECK(error_of<wide::Wide>(wide_text(without)) ==
        "the required fields 'field_501', 'field_999' are missing (line 1, column 1)");
  CHECK(error_of<wide::Wide>(wide_text({order.begin(), order.end() - 1})) ==
        "the required field 'field_999' is missing (line 1, column 1)");

  for (const std::size_t again : {0u, 64u, 999u}) {
    std::vector<std::size_t> twice = order;
    twice.push_back(again);
    const std::string name = "field_" + std::to_string(again);
    const std::string json = wide_text(twice);
    CHECK(error_of<wide::Wide>(json) == name + ": duplicate key '" + name + "' (line 1, column " +
                                            std::to_string(json.rfind("\"field") + 1) + ")");
  }
}

TEST_CASE("a union of 300 members reads and writes each") {
  for (std::size_t i = 0; i < 300; ++i) {
    const std::string json = "{\"member_" + std::to_string(i) + "\": " +
                             (i % 3 == 0   ? "7"
                              : i % 3 == 1 ? "\"s\""
                                           : wide_text(up_to_1000())) +
                             "}";
    if (i % 3 == 2 && i % 60 != 2) continue;
    CAPTURE(i);
    CHECK(rewritten<wide::Either>(json) == json);
    CHECK(static_cast<std::size_t>(from_json<wide::Either>(json).kind()) == i + 1);
  }
}

TEST_CASE("a map keeps its order, and a duplicate key is an error") {
  const std::string json = R"({"b": 1, "a": 2, "": 3, "\u00e9": 4, "a b": 5})";
  CHECK(rewritten<Map<std::int64_t>>(json) == json);
  check_errors<Map<std::int64_t>>({
      {R"({"a": 1, "b": 2, "a": 1})", "a: duplicate key 'a' (line 1, column 18)"},
      {R"({"a": 1, "\u0061": 1})", "a: duplicate key 'a' (line 1, column 10)"},
      {R"({"": 1, "": 1})", R"([""]: duplicate key '' (line 1, column 9))"},
      {R"({"a": "1"})", "a: expected an integer, found a string (line 1, column 7)"},
  });
  std::string many = "{";
  for (int i = 0; i < 100; ++i) many += "\"k" + std::to_string(i) + "\": " + std::to_string(i) + ", ";
  CHECK(error_of<Map<std::int64_t>>(many + "\"k57\": 1}") ==
        "k57: duplicate key 'k57' (line 1, column 1082)");
}

TEST_CASE("map keys may be canonical numbers, or names of enums that JSON spells by name") {
  const std::string json =
      R"({"level": "LOW", "levels": [], "by_number": {"7": "a", "-9223372036854775808": "b", "0": "c"}, )"
      R"("by_color": {"2": [{"-1": {"name": "x", "left": null, "right": null, "children": [], "named": {}, )"
      R"("choice": null}}], "12345": []}, "by_level": {"class": "LOW", "11": "HIGH"}})";
  CHECK(rewritten<everything::Keyed>(json) == json);
  const auto keyed = read_by_tape<everything::Keyed>(json);
  CHECK(keyed.by_number.at(7) == "a");
  CHECK(keyed.by_number.begin()->key() == 7);
  CHECK(keyed.by_number.find(8) == nullptr);
  CHECK(keyed.by_color.at(Color::GREEN)[0].at(-1).name == "x");
  CHECK(keyed.by_level.at(everything::Level::class_) == everything::Level::LOW);
  check_values<Map<int64_t, everything::Level>>({{R"({"10": 1, "0": 2})", R"({"HIGH": 1, "LOW": 2})"}});
  const std::string expected = "expected a canonical 64-bit integer key, found '";
  for (const char* const key : {"", "x", "07", "+7", "-0", " 7", "7 ", "1.0", "1e3", "9223372036854775808"}) {
    CAPTURE(key);
    const std::string text = "{\"" + std::string(key) + "\": 1}";
    const std::string error = error_of<Map<std::int64_t, std::int64_t>>(text);
    CHECK(error.find(expected + std::string(key) + "' (line 1, column 2)") != std::string::npos);
  }
  check_errors<everything::Keyed>({
      {R"({"by_number": {"7": "a", "7": "b"}})", "by_number[\"7\"]: duplicate key '7' (line 1, column 26)"},
      {R"({"by_color": {"RED": []}})",
       "by_color.RED: expected a canonical 32-bit integer key, found 'RED' (line 1, column 15)"},
      {R"({"by_color": {"2147483648": []}})",
       "by_color[\"2147483648\"]: expected a canonical 32-bit integer key, found '2147483648' "
       "(line 1, column 15)"},
      {R"({"by_color": {"8": [{}, {"5": {}}]}})",
       "by_color[\"8\"][1][\"5\"]: the required field 'name' is missing (line 1, column 31)"},
      {R"({"by_level": {"HIHG": 1}})",
       "by_level.HIHG: the enum 'Level' has no member 'HIHG', did you mean 'HIGH'? (line 1, column 15)"},
      {R"({"by_level": {"HIGH": 1, "10": 2}})", "by_level[\"10\"]: duplicate key '10' (line 1, column 26)"},
  });
}

TEST_CASE("a reader reports its progress") {
  std::string text = R"({"flags": [], "matrix": [], "by_name": {)";
  for (int i = 0; i < 40000; ++i) {
    text += (i == 0 ? "\"" : ", \"") + std::to_string(i) + R"(": [{"x": 2459565876494606882, "y": -1}])";
  }
  text += "}}";
  std::vector<std::size_t> told;
  JsonReadOptions options;
  options.progress = {[](void* context, std::size_t bytes) {
                        static_cast<std::vector<std::size_t>*>(context)->push_back(bytes);
                      },
                      &told};
  read_by_tape<Containers>(text, options);
  CHECK(told.size() > 5);
  CHECK(std::is_sorted(told.begin(), told.end()));
  for (const std::size_t offset : told) CHECK(text.substr(offset, 9).find("\": [") != text.npos);
}

TEST_CASE("recursion and boxes are read and written") {
  const std::string leaf =
      R"({"name": "", "left": null, "right": null, "children": [], "named": {}, "choice": null})";
  const std::string json =
      R"({"name": "a", "left": )" + leaf + R"(, "right": {"name": "r", "left": null, "right": )" + leaf +
      R"(, "children": [)" + leaf + ", " + leaf + R"(], "named": {"x": )" + leaf +
      R"(}, "choice": {"tree": )" + leaf + R"(}}, "children": [], "named": {}, "choice": null})";
  CHECK(rewritten<Tree>(json) == json);
}
