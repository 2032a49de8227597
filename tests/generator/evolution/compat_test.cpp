#include "evolution/compat.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "cpp/generate.h"
#include "evolution/findings.h"
#include "front/load.h"
#include "generator/read_file.h"

using generator::Bump;
using generator::compared;
using generator::Comparison;
using generator::Diagnostics;
using generator::Finding;
using generator::Level;
using generator::Policy;
using generator::Release;
using generator::Rule;

namespace fs = std::filesystem;

namespace {

const fs::path kSource = PT2_SOURCE_DIR;

Release release(const std::string& text, const std::string& file) {
  Diagnostics diagnostics(file, text);
  auto model = generator::load_model(diagnostics, generator::rule_ids());
  INFO(diagnostics.render());
  REQUIRE(model);
  return {file, text, *std::move(model)};
}

std::vector<Release> earlier_releases(const fs::path& folder) {
  std::vector<Release> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_of("0123456789") == 0) found.push_back(release(read_file(entry.path()), name));
  }
  std::sort(found.begin(), found.end(), [](const Release& a, const Release& b) { return a.file > b.file; });
  return found;
}

const std::string kHead = "name: s\nversion: {major: 1, minor: ";

Release schema(int minor, const std::string& types) {
  return release(kHead + std::to_string(minor) + "}\ntypes:\n" + types, minor == 0 ? "old.yaml" : "new.yaml");
}

std::set<std::string> found(const Comparison& comparison) {
  std::set<std::string> ids;
  for (const Finding& finding : comparison.findings) ids.emplace(finding.rule->id);
  return ids;
}

Release released(const std::string& version) {
  return release(read_file(kSource / "schema/released" / (version + ".yaml")), version);
}

}  // namespace

TEST_CASE("every rule has a folder, and every folder a rule") {
  std::set<std::string> folders;
  for (const auto& entry : fs::directory_iterator(kSource / "tests/compat")) {
    folders.insert(entry.path().filename().string());
  }
  std::set<std::string> ids;
  for (const Rule& rule : generator::rules()) ids.emplace(rule.id);
  CHECK(ids.size() == generator::rules().count);
  CHECK(folders == ids);
}

TEST_CASE("the examples give the findings that are expected, word for word") {
  const bool update = std::getenv("UPDATE_GOLDEN") != nullptr;
  for (const Rule& rule : generator::rules()) {
    const fs::path folder = kSource / "tests/compat" / rule.id;
    if (!fs::is_directory(folder)) continue;
    INFO(rule.id);
    const Release before = release(read_file(folder / "old.yaml"), "old.yaml");
    const Release after = release(read_file(folder / "new.yaml"), "new.yaml");
    const std::vector<Release> earlier = earlier_releases(folder);
    const Comparison comparison = compared(before, after, earlier, Policy::full);
    CHECK(found(comparison).count(std::string(rule.id)) == 1);
    const std::string text = generator::findings_as_text({comparison, before, after, earlier});
    if (update) std::ofstream(folder / "expected.txt", std::ios::binary) << text;
    CHECK(text == read_file(folder / "expected.txt"));
  }
}

namespace {

const std::string kStruct = "  A:\n    kind: struct\n    fields:\n";
const std::string kUnion = "  A:\n    kind: union\n    fields:\n";
const std::string kX = "      x: {id: 10, type: int}\n";
const std::string kY = "      y: {id: 20, type: str, default: a}\n";

struct Edit {
  std::string what;
  std::string before;
  std::string after;
};

}  // namespace

TEST_CASE("what PyTorch's checker is blind to is found by full, and not by pytorch") {
  const std::vector<std::pair<std::string, Edit>> edits = {
      {"FIELD_ID_CHANGED", {"another id", kStruct + kX, kStruct + "      x: {id: 15, type: int}\n"}},
      {"FIELD_ID_CHANGED", {"another id in a union", kUnion + kX, kUnion + "      x: {id: 15, type: int}\n"}},
      {"FIELD_ID_REUSED",
       {"two ids swapped", kStruct + kX + kY,
        kStruct + "      x: {id: 20, type: int}\n      y: {id: 10, type: str, default: a}\n"}},
      {"DEFAULT_CHANGED",
       {"another default", kStruct + kX + kY, kStruct + kX + "      y: {id: 20, type: str, default: b}\n"}},
      {"FIELD_REORDERED", {"fields in another order", kStruct + kX + kY, kStruct + kY + kX}},
      {"FIELD_REORDERED",
       {"members in another order", kUnion + kX + "      y: {id: 20, type: str}\n",
        kUnion + "      y: {id: 20, type: str}\n" + kX}},
      {"RESERVED_REMOVED",
       {"a reservation gone", kStruct + kX + "    reserved: {ids: [30]}\n", kStruct + kX}},
  };
  for (const auto& [rule, edit] : edits) {
    INFO(edit.what);
    const Release before = schema(0, edit.before);
    const Release after = schema(0, edit.after);
    CHECK(found(compared(before, after, {}, Policy::full)).count(rule) == 1);
    CHECK(found(compared(before, after, {}, Policy::pytorch)).empty());
  }
}

TEST_CASE("an id that came back with another meaning inside a major version is found in the releases") {
  // As in PyTorch: the id of guards_code changed from 110 to 90, which tensor_paths had before.
  const Release first = release(kHead + "8}\ntypes:\n" + kStruct +
                                    "      tensor_paths: {id: 90, type: \"Dict[str, str]\", default: {}}\n"
                                    "      guards_code: {id: 110, type: \"List[str]\", default: []}\n",
                                "1.8.yaml");
  const Release second =
      release(kHead + "13}\ntypes:\n" + kStruct + "      x: {id: 10, type: int, default: 0}\n", "1.13.yaml");
  const Release after = release(kHead + "14}\ntypes:\n" + kStruct +
                                    "      x: {id: 10, type: int, default: 0}\n"
                                    "      guards_code: {id: 90, type: \"List[str]\", default: []}\n",
                                "new.yaml");
  CHECK(found(compared(second, after, {}, Policy::full)).count("FIELD_ID_REUSED") == 0);
  const Comparison comparison = compared(second, after, {first}, Policy::full);
  const auto reused = std::find_if(comparison.findings.begin(), comparison.findings.end(),
                                   [](const Finding& one) { return one.rule->id == "FIELD_ID_REUSED"; });
  REQUIRE(reused != comparison.findings.end());
  CHECK(reused->message == "id 90 of 'A.guards_code' was 'tensor_paths' (Dict[str, str]) in 1.8");
  CHECK(reused->before.file == "1.8.yaml");
  CHECK(reused->before.span.line == 7);
  CHECK(reused->paste == "id: 120");
  CHECK(found(comparison) == std::set<std::string>{"FIELD_ADDED_DEFAULTED", "FIELD_ID_CHANGED",
                                                   "FIELD_ID_REUSED", "VERSION_NOT_BUMPED"});
  CHECK(found(compared(second, after, {first}, Policy::pytorch)) ==
        std::set<std::string>{"FIELD_ADDED_DEFAULTED"});
}

TEST_CASE("pytorch gives the versions that PyTorch's own tests expect") {
  struct Case {
    Edit edit;
    std::string expected;
  };
  const std::string head = "name: s\nversion: {major: 3, minor: 2}\ntypes:\n";
  const std::string type_b = "  B:\n    kind: struct\n    fields:\n      b: {id: 10, type: str}\n";
  const std::string optional = "      x: {id: 10, type: \"Optional[int]\", default: null}\n";
  const std::vector<Case> cases = {
      {{"a required field is new", kStruct + kX, kStruct + kX + "      y: {id: 20, type: str}\n"}, "4.1"},
      {{"a field was removed", kStruct + kX + kY, kStruct + kX}, "4.1"},
      {{"a field with a default is new", kStruct + kX, kStruct + kX + kY}, "3.3"},
      {{"another type", kStruct + kX, kStruct + "      x: {id: 10, type: str}\n"}, ""},
      {{"an Optional type", kStruct + kX, kStruct + optional}, ""},
      {{"a type is new", kStruct + kX, kStruct + kX + type_b}, "3.3"},
      {{"a type was removed", kStruct + kX + type_b, kStruct + kX}, "3.3"},
      {{"a type has another name", kStruct + kX + type_b,
        kStruct + kX + "  C:\n    kind: struct\n    fields:\n      b: {id: 10, type: str}\n"},
       "3.3"},
      {{"a member of a union is new", kUnion + kX, kUnion + kX + "      y: {id: 20, type: str}\n"}, "3.3"},
      {{"a member of a union was removed", kUnion + kX + "      y: {id: 20, type: str}\n", kUnion + kX},
       "4.1"},
      {{"a default is new", kStruct + kX, kStruct + "      x: {id: 10, type: int, default: 0}\n"}, "3.3"},
      {{"a default was removed", kStruct + "      x: {id: 10, type: int, default: 0}\n", kStruct + kX},
       "4.1"},
      {{"another kind", kStruct + kX, kUnion + kX}, ""},
      {{"a field has another name", kStruct + kX + kY,
        kStruct + kX + "      z: {id: 20, type: str, default: a}\n"},
       "4.1"},
      {{"a number of an enum is new", "  A: {kind: enum, fields: {X: 1}}\n",
        "  A: {kind: enum, fields: {X: 1, Y: 2}}\n"},
       "3.3"},
      {{"a member of an enum has another name", "  A: {kind: enum, fields: {X: 1, Y: 2}}\n",
        "  A: {kind: enum, fields: {X: 1, Z: 2}}\n"},
       "4.1"},
      {{"a member of an enum has another number", "  A: {kind: enum, fields: {X: 1}}\n",
        "  A: {kind: enum, fields: {X: 2}}\n"},
       ""},
      {{"nothing", kStruct + kX, kStruct + kX}, "3.2"},
  };
  for (const Case& one : cases) {
    INFO(one.edit.what);
    const Release before = release(head + one.edit.before, "old.yaml");
    const Release after = release(head + one.edit.after, "new.yaml");
    const Comparison comparison = compared(before, after, {}, Policy::pytorch);
    if (one.expected.empty()) {
      CHECK(comparison.required == Bump::error);
      CHECK(comparison.count(Level::error) > 0);
    } else {
      CHECK(comparison.required != Bump::error);
      CHECK(spelled(comparison.suggested) == one.expected);
      CHECK(comparison.version_suffices == (one.expected == "3.2"));
    }
  }
}

TEST_CASE("pytorch takes the next version only") {
  const std::string types = "}\ntypes:\n" + kStruct + kX;
  const Release before = release("name: s\nversion: {major: 8, minor: 2" + types, "old.yaml");
  for (const auto& [version, is_right] : {std::pair("major: 8, minor: 2", false),
                                          {"major: 8, minor: 3", true},
                                          {"major: 8, minor: 4", false},
                                          {"major: 9, minor: 1", false}}) {
    INFO(version);
    const Release after = release("name: s\nversion: {" + std::string(version) + types + kY, "new.yaml");
    CHECK(compared(before, after, {}, Policy::pytorch).version_suffices == is_right);
  }
}

TEST_CASE("backward asks new readers only") {
  struct Case {
    Edit edit;
    Bump full;
    Bump backward;
  };
  const std::string optional = "      x: {id: 10, type: \"Optional[int]\", default: null}\n";
  const std::string reserved = "    reserved: {ids: [20], names: [y]}\n";
  const std::vector<Case> cases = {
      {{"required to Optional", kStruct + kX, kStruct + optional}, Bump::major, Bump::minor},
      {{"Optional to required", kStruct + optional, kStruct + kX}, Bump::major, Bump::major},
      {{"a field was removed", kStruct + kX + kY, kStruct + kX + reserved}, Bump::major, Bump::minor},
      {{"a required field is new", kStruct + kX, kStruct + kX + "      y: {id: 20, type: str}\n"},
       Bump::major,
       Bump::major},
      {{"another id", kStruct + kX, kStruct + "      x: {id: 15, type: int}\n"}, Bump::major, Bump::major},
      {{"a field with a default is new", kStruct + kX, kStruct + kX + kY}, Bump::minor, Bump::minor},
  };
  for (const Case& one : cases) {
    INFO(one.edit.what);
    const Release before = schema(0, one.edit.before);
    const Release after = schema(1, one.edit.after);
    CHECK(compared(before, after, {}, Policy::full).required == one.full);
    CHECK(compared(before, after, {}, Policy::backward).required == one.backward);
    CHECK(compared(before, after, {}, Policy::backward).version_suffices == (one.backward == Bump::minor));
  }
}

TEST_CASE("a new major version is enough for all but errors") {
  const std::string types = "}\ntypes:\n" + kStruct;
  const Release before = release("name: s\nversion: {major: 7, minor: 3" + types + kX + kY, "old.yaml");
  for (const auto& [version, suffices] : {std::pair("major: 7, minor: 3", false),
                                          {"major: 7, minor: 9", false},
                                          {"major: 8, minor: 0", true},
                                          {"major: 8, minor: 1", true}}) {
    INFO(version);
    const Release after = release("name: s\nversion: {" + std::string(version) + types + kX, "new.yaml");
    const Comparison comparison = compared(before, after, {}, Policy::full);
    CHECK(comparison.version_suffices == suffices);
    CHECK(spelled(comparison.suggested) == "8.0");
    // Version 8 does not read files of version 7, so an unreserved id does no harm there.
    CHECK((comparison.count(Level::error) == 0) == suffices);
  }
}

TEST_CASE("types that are renamed break nothing if they look the same in files") {
  const std::string before =
      "  Root:\n    kind: struct\n    fields:\n      a: {id: 10, type: \"List[Node]\"}\n"
      "  Node:\n    kind: struct\n    fields:\n      next: {id: 10, type: \"Optional[Node]\", default: null, "
      "boxed: true}\n      c: {id: 20, type: Color}\n"
      "  Color: {kind: enum, fields: {Red: 0}}\n";
  std::string after = before;
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>("Node", "Vertex"), {"Color", "Colour"}}) {
    for (std::size_t at = after.find(from); at != std::string::npos; at = after.find(from, at)) {
      after.replace(at, from.size(), to);
    }
  }
  const Comparison comparison = compared(schema(0, before), schema(0, after), {}, Policy::full);
  CHECK(found(comparison) == std::set<std::string>{"TYPE_RENAMED"});
  CHECK(comparison.required == Bump::none);
  CHECK(comparison.version_suffices);
  CHECK(comparison.hash_before != comparison.hash_after);
  REQUIRE(comparison.roots.size() == 1);
  CHECK(comparison.roots[0].json);
  CHECK(comparison.roots[0].binary);
  // PyTorch's checker compares the spelling of types.
  CHECK(compared(schema(0, before), schema(0, after), {}, Policy::pytorch).required == Bump::error);
}

TEST_CASE("types that differ only in which name has which id are not the same") {
  const Comparison comparison = compared(
      schema(0, kStruct + "      p: {id: 10, type: B}\n" +
                    "  B:\n    kind: struct\n    fields:\n      x: {id: 10, type: int}\n      y: {id: "
                    "20, type: int}\n"),
      schema(1, kStruct + "      p: {id: 10, type: C}\n" +
                    "  C:\n    kind: struct\n    fields:\n      y: {id: 10, type: int}\n      x: {id: "
                    "20, type: int}\n"),
      {}, Policy::full);
  CHECK(comparison.required == Bump::major);
  CHECK(found(comparison).count("FIELD_ID_REUSED") == 1);
}

TEST_CASE("a field with a default that is new is a warning, as old readers meet it in every new file") {
  const auto added = [](const std::string& field, Policy policy) {
    const Comparison comparison = compared(
        schema(0, kStruct + kX), schema(1, kStruct + kX + "      f: {id: 90, " + field + "}\n"), {}, policy);
    REQUIRE(comparison.findings.size() == 1);
    return comparison.findings.front();
  };
  const std::string number = "type: int, default: 0";
  CHECK(added(number, Policy::full).level == Level::warning);
  CHECK(added(number, Policy::full).paste == "type: \"Optional[int]\", default: null");
  CHECK(added(number, Policy::backward).level == Level::note);
  CHECK(added(number, Policy::pytorch).level == Level::note);
  const std::string list = "type: \"List[int]\", default: []";
  CHECK(added(list, Policy::full).level == Level::warning);
  CHECK(added(list, Policy::full).paste.empty());
  CHECK(added("type: \"Optional[int]\", default: null", Policy::full).level == Level::note);
}

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

/// Returns the effect of a change of a field's type on new readers of old JSON, old readers of new JSON, and
/// the same for binary data. y: yes, d: depends, -: no.
std::string verdicts(const std::string& from, const std::string& to) {
  const auto types = [](const std::string& type) {
    return kStruct + "      x: {id: 10, type: \"" + type +
           "\"}\n  E: {kind: enum, fields: {X: 0}}\n  N: {kind: enum, json: name, fields: {X: 0}}\n";
  };
  std::array<generator::Verdict, 4> worst{};
  for (const Finding& finding :
       compared(schema(0, types(from)), schema(1, types(to)), {}, Policy::full).findings) {
    const generator::Effects& one = finding.effects;
    const std::array<generator::Verdict, 4> all = {one.json_backward, one.json_forward, one.binary_backward,
                                                   one.binary_forward};
    for (std::size_t i = 0; i < all.size(); ++i) worst[i] = std::max(worst[i], all[i]);
  }
  std::string text;
  for (const generator::Verdict verdict : worst) text += "yd-"[static_cast<int>(verdict)];
  return text;
}

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
}

TEST_CASE("a default that is the same member of an enum has not changed") {
  const auto types = [&](const std::string& members) {
    return kStruct + "      x: {id: 10, type: E, default: X}\n  E: {kind: enum, fields: {" + members + "}}\n";
  };
  const Comparison renumbered =
      compared(schema(0, types("X: 0, Y: 1")), schema(1, types("X: 1, Y: 0")), {}, Policy::full);
  CHECK(found(renumbered) == std::set<std::string>{"ENUM_VALUE_RENUMBERED", "VERSION_NOT_BUMPED"});
}

TEST_CASE("the old name of a renamed field must be reserved, as of a removed field") {
  const std::string renamed = kStruct + "      title: {id: 10, type: int}\n";
  const Comparison free = compared(schema(0, kStruct + kX), schema(1, renamed), {}, Policy::full);
  const auto finding = std::find_if(free.findings.begin(), free.findings.end(), [](const Finding& one) {
    return one.rule->id == "FIELD_REMOVED_NOT_RESERVED";
  });
  REQUIRE(finding != free.findings.end());
  CHECK(finding->message == "name 'x' of 'A' could be used again with another meaning");
  CHECK(finding->paste == "reserved: {names: [x]}");
  const Comparison reserved = compared(schema(0, kStruct + kX),
                                       schema(1, renamed + "    reserved: {names: [x]}\n"), {}, Policy::full);
  CHECK(found(reserved).count("FIELD_REMOVED_NOT_RESERVED") == 0);
}

TEST_CASE("files are not unchanged where fields or enum members of one type swap their ids") {
  const std::string color = "  C:\n    kind: enum\n    fields: ";
  const std::string fields = "      c: {id: 30, type: C}\n";
  const std::string held = "  B:\n    kind: struct\n    fields:\n      a: {id: 10, type: A}\n";
  const auto roots = [&](const std::string& x, const std::string& members) {
    const Comparison comparison = compared(
        schema(0, kStruct + kX + "      z: {id: 20, type: int}\n" + fields + held + color + "{R: 0, G: 1}\n"),
        schema(0, kStruct + x + fields + held + color + members + "\n"), {}, Policy::full);
    REQUIRE(comparison.roots.size() == 1);
    CHECK(comparison.roots[0].root == "B");
    return std::pair(comparison.roots[0].json, comparison.roots[0].binary);
  };
  CHECK(roots(kX + "      z: {id: 20, type: int}\n", "{R: 0, G: 1}") == std::pair(true, true));
  CHECK(roots("      x: {id: 20, type: int}\n      z: {id: 10, type: int}\n", "{R: 0, G: 1}") ==
        std::pair(true, false));
  CHECK(roots(kX + "      z: {id: 20, type: int}\n", "{R: 1, G: 0}") == std::pair(false, false));
}

TEST_CASE("types that are renamed are found by all that they hold, in time for 20,000 of them") {
  const auto chain = [](const std::string& name, std::size_t length) {
    std::string types;
    for (std::size_t i = 0; i < length; ++i) {
      const std::string next = i + 1 == length ? "int" : "\"List[" + name + std::to_string(i + 1) + "]\"";
      types +=
          "  " + name + std::to_string(i) + ": {kind: struct, fields: {f: {id: 1, type: " + next + "}}}\n";
    }
    return types;
  };
  const Comparison renamed =
      compared(schema(0, chain("A", 20000)), schema(0, chain("B", 20000)), {}, Policy::full);
  CHECK(found(renamed) == std::set<std::string>{"ROOT_RENAMED", "TYPE_RENAMED", "VERSION_NOT_BUMPED"});
  const Comparison shorter = compared(schema(0, chain("A", 3)), schema(0, chain("B", 2)), {}, Policy::full);
  CHECK(found(shorter).count("ROOT_REMOVED") == 1);
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

TEST_CASE("a finding that is allowed does not count, and only beside what it is about") {
  const std::string before = kStruct + kX + kY;
  const std::string allow = ", allow: [{rule: FIELD_ID_CHANGED, reason: no such files}]}\n";
  const Comparison on_field = compared(
      schema(0, before), schema(0, kStruct + "      x: {id: 15, type: int" + allow + kY), {}, Policy::full);
  CHECK(on_field.required == Bump::none);
  CHECK(on_field.count_allowed() == 1);
  CHECK(on_field.findings.front().allowed == "no such files");
  const Comparison elsewhere = compared(
      schema(0, before),
      schema(0, kStruct + "      x: {id: 15, type: int}\n      y: {id: 20, type: str, default: a" + allow),
      {}, Policy::full);
  CHECK(elsewhere.required == Bump::major);
  CHECK(found(elsewhere).count("SUPPRESSION_UNUSED") == 1);
  const Comparison unused = compared(
      schema(0, before), schema(0, kStruct + "      x: {id: 10, type: int" + allow + kY), {}, Policy::full);
  CHECK(found(unused) == std::set<std::string>{"SUPPRESSION_UNUSED"});
  CHECK(unused.count(Level::warning) == 1);
}

TEST_CASE("the hash does not cover the schema's allowances") {
  const std::string allow = ", allow: [{rule: FIELD_ID_CHANGED, reason: no such files}]}\n";
  const Comparison comparison = compared(
      schema(0, kStruct + kX), schema(0, kStruct + "      x: {id: 10, type: int" + allow), {}, Policy::full);
  CHECK(comparison.hash_before == comparison.hash_after);
}

TEST_CASE("no release differs from itself, by any policy") {
  for (const auto& entry : fs::directory_iterator(kSource / "schema/released")) {
    INFO(entry.path().string());
    const Release one = release(read_file(entry.path()), entry.path().filename().string());
    for (const Policy policy : {Policy::full, Policy::backward, Policy::pytorch}) {
      CHECK(compared(one, one, {one}, policy).findings.empty());
    }
  }
}

TEST_CASE("the head reads what earlier minors of its major wrote in binary") {
  // .pt2b readers rely on it that no id has changed its meaning.
  const Release head = release(read_file(kSource / "schema/pt2.yaml"), "pt2.yaml");
  std::size_t compared_releases = 0;
  for (const Release& earlier : earlier_releases(kSource / "schema/released")) {
    if (earlier.model.version.major_ != head.model.version.major_) continue;
    ++compared_releases;
    for (const Finding& finding : compared(earlier, head, {}, Policy::full).findings) {
      // The roots of 8.6 to 8.8 held several models, and no torch release wrote them.
      if (finding.rule->id == "ROOT_REMOVED" || finding.rule->id == "TYPE_REMOVED") continue;
      INFO(earlier.file << ": " << finding.message);
      CHECK(finding.effects.binary_backward == generator::Verdict::yes);
    }
  }
  CHECK(compared_releases >= 7);
}

TEST_CASE("releases that only add things need a minor version, and have one") {
  for (const auto& [from, to] :
       {std::pair("8.2", "8.6"), {"8.6", "8.7"}, {"8.14", "8.15"}, {"8.15", "8.17"}}) {
    INFO(from << " -> " << to);
    const Comparison comparison = compared(released(from), released(to), {}, Policy::full);
    CHECK(comparison.required == Bump::minor);
    CHECK(comparison.version_suffices);
  }
}
