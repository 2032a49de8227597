#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <tuple>
#include <utility>

#include "generator/evolution/releases.h"

using generator::Bump;
using generator::compared;
using generator::Comparison;
using generator::Finding;
using generator::Level;
using generator::Policy;

TEST_CASE("a map whose keys are of another type has another type, and an enum of keys is one in use") {
  const auto findings = [](const std::string& from, const std::string& to, const std::string& rest = "") {
    const auto types = [&](const std::string& type) {
      return kStruct + "      x: {id: 10, type: \"" + type + "\"}\n  E: {kind: enum, fields: {X: 0}}\n" +
             rest;
    };
    return found(compared(schema(0, types(from)), schema(1, types(to)), {}, Policy::full));
  };
  CHECK(findings("Dict[int, str]", "Dict[int, str]") == std::set<std::string>{});
  CHECK(findings("Dict[E, str]", "Dict[E, str]") == std::set<std::string>{});
  for (const auto& [from, to] : {std::pair("Dict[str, str]", "Dict[int, str]"),
                                 {"Dict[int, str]", "Dict[str, str]"},
                                 {"Dict[int, str]", "Dict[E, str]"},
                                 {"List[Dict[E, str]]", "List[Dict[int, str]]"}}) {
    CAPTURE(from, to);
    CHECK(findings(from, to).count("FIELD_TYPE_CHANGED") == 1);
  }
  for (const auto& [from, to, rule] :
       {std::tuple("Dict[int8, str]", "Dict[int, str]", "NUMBER_WIDENED"),
        {"List[Dict[int, str]]", "List[Dict[uint8, str]]", "NUMBER_NARROWED"},
        {"Dict[str, Dict[int, str]]", "Dict[str, Dict[uint64, str]]", "NUMBER_RANGE_CHANGED"},
        {"Dict[int8, str]", "Dict[int, bytes]", "FIELD_TYPE_CHANGED"}}) {
    CAPTURE(from, to);
    CHECK(findings(from, to).count(rule) == 1);
  }
  const std::string other = "  F: {kind: enum, fields: {Y: 0}}\n";
  CHECK(findings("Dict[E, str]", "Dict[F, str]", other).count("FIELD_TYPE_CHANGED") == 1);
}

namespace {

std::string verdicts(const std::string& from, const std::string& to) {
  const auto types = [](const std::string& type) {
    return kStruct + "      x: {id: 10, type: \"" + type +
           "\"}\n  E: {kind: enum, fields: {X: 0}}\n  N: {kind: enum, json: name, fields: {X: 0}}\n";
  };
  return verdicts_of(compared(schema(0, types(from)), schema(1, types(to)), {}, Policy::full));
}

}  // namespace

TEST_CASE("verdicts on texts, integers and enums match the readers") {
  CHECK(verdicts("Dict[int, str]", "Dict[str, str]") == "yd--");
  CHECK(verdicts("Dict[str, str]", "Dict[int, str]") == "dy--");
  CHECK(verdicts("Dict[E, str]", "Dict[int, str]") == "ydy-");
  CHECK(verdicts("Dict[E, str]", "Dict[int32, str]") == "yyyy");
  CHECK(verdicts("Dict[int32, str]", "Dict[E, str]") == "yyyy");
  CHECK(verdicts("Dict[N, str]", "Dict[str, str]") == "yd--");
  CHECK(verdicts("Dict[str, str]", "Dict[N, str]") == "dy--");
  CHECK(verdicts("List[Dict[N, str]]", "List[Dict[int32, str]]") == "-yyy");
  CHECK(verdicts("N", "str") == "dd--");
  CHECK(verdicts("E", "str") == "----");
  CHECK(verdicts("Dict[int, str]", "Dict[str, int]") == "----");
}

TEST_CASE(
    "a change of type that no reader notices needs no version, and one that new readers do not no major "
    "one") {
  const auto needed = [](const std::string& from, const std::string& to, Policy policy) {
    const auto types = [](const std::string& type) {
      return kStruct + "      x: {id: 10, type: \"" + type +
             "\"}\n  E: {kind: enum, fields: {X: 0}}\n  F: {kind: enum, fields: {X: 0}}\n"
             "  N: {kind: enum, json: name, fields: {X: 0}}\n";
    };
    const Comparison comparison = compared(schema(0, types(from)), schema(0, types(to)), {}, policy);
    REQUIRE_FALSE(comparison.findings.empty());
    CHECK((comparison.findings.front().level >= Level::breaking) == (comparison.required == Bump::major));
    CHECK(comparison.version_suffices == (comparison.required == Bump::none));
    return std::string(name_of(comparison.required));
  };
  for (const auto& [from, to, full, backward] : {
           std::tuple("E", "int32", "none", "none"),
           {"int32", "E", "none", "none"},
           {"List[E]", "List[int32]", "none", "none"},
           {"Dict[E, Dict[str, int32]]", "Dict[int32, Dict[str, E]]", "none", "none"},
           {"Dict[E, str]", "Dict[F, str]", "none", "none"},
           {"E", "F", "none", "none"},
           {"E", "int", "major", "minor"},
           {"int", "E", "major", "major"},
           {"int32", "N", "major", "minor"},
           {"N", "int32", "major", "major"},
           {"uint8", "int32", "major", "minor"},
           {"E", "uint32", "major", "major"},
       }) {
    CAPTURE(from, to);
    CHECK(needed(from, to, Policy::full) == full);
    CHECK(needed(from, to, Policy::backward) == backward);
  }
}

TEST_CASE("an integer of JSON is read as a float, exactly if the float has all of its digits") {
  CHECK(verdicts("int32", "float") == "y---");
  CHECK(verdicts("uint16", "float32") == "y---");
  CHECK(verdicts("int32", "float32") == "d---");
  CHECK(verdicts("int", "float") == "d---");
  CHECK(verdicts("float", "int8") == "-y--");
}

TEST_CASE("in JSON, Any takes null and lists") {
  CHECK(verdicts("Any", "Optional[Any]") == "yyyd");
  CHECK(verdicts("Optional[Any]", "Any") == "yydy");
  CHECK(verdicts("Any", "List[Any]") == "dy--");
}

TEST_CASE("null depends on the values, whichever reader refuses it") {
  CHECK(verdicts("Optional[int]", "int") == "dydy");
  CHECK(verdicts("int", "Optional[int]") == "ydyd");
}

TEST_CASE("keys and values of a Dict may both change") {
  CHECK(verdicts("Dict[uint32, int32]", "Dict[str, E]") == "yd--");
  CHECK(verdicts("Dict[E, int]", "Dict[int32, int8]") == "dy-y");
}

TEST_CASE("a default is compared with that of another type") {
  const auto messages = [&](const std::string& from, const std::string& to) {
    const std::string types = "  E: {kind: enum, fields: {X: 0, Y: 1}}\n";
    const std::string field = kStruct + "      x: {id: 10, type: ";
    std::string text;
    for (const Finding& finding : compared(schema(0, field + from + "}\n" + types),
                                           schema(1, field + to + "}\n" + types), {}, Policy::full)
                                      .findings) {
      if (finding.rule->id == "DEFAULT_CHANGED") text += finding.message;
    }
    return text;
  };
  CHECK(messages("uint8, default: 1", "E, default: X") == "default of 'A.x' changed from 1 to X");
  CHECK(messages("uint8, default: 1", "E, default: Y").empty());
  CHECK(messages("int8, default: 1", "float, default: 1.5") == "default of 'A.x' changed from 1 to 1.5");
  CHECK(messages("int8, default: 1", "float, default: 1.0").empty());
  CHECK(messages("float32, default: 0.1", "float, default: 0.1").empty());
  CHECK(messages("float32, default: .nan", "float, default: .nan").empty());
  CHECK(messages("float, default: .nan", "float, default: .nan").empty());
  CHECK(messages("float, default: .nan", "float, default: -.inf") ==
        "default of 'A.x' changed from .nan to -.inf");
}

TEST_CASE("what differs inside of types in each other's place is reported with its path") {
  const std::string types =
      "  P:\n    kind: struct\n    fields:\n      in: {id: 10, type: \"Dict[str, I]\"}\n"
      "  Q:\n    kind: struct\n    fields:\n      in: {id: 10, type: \"Dict[str, J]\"}\n"
      "  I:\n    kind: struct\n    fields:\n      x: {id: 10, type: int}\n"
      "  J:\n    kind: struct\n    fields:\n      x: {id: 10, type: int}\n      y: {id: 20, type: int}\n";
  const Comparison comparison =
      compared(schema(0, kStruct + "      p: {id: 10, type: \"List[P]\"}\n" + types),
               schema(1, kStruct + "      p: {id: 10, type: \"List[Q]\"}\n" + types), {}, Policy::full);
  const auto& finding = comparison.findings.front();
  CHECK(finding.rule->id == "TYPE_RETARGETED");
  CHECK(finding.path == "A.p");
  CHECK(finding.bump == Bump::major);
  REQUIRE(finding.causes.size() == 1);
  CHECK(finding.causes[0].rule->id == "FIELD_ADDED_REQUIRED");
  CHECK(finding.causes[0].path == "A.p[].in{}.y");
}
