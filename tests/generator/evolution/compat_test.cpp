#include "evolution/compat.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "generator/evolution/releases.h"
#include "generator/read_file.h"

using generator::Bump;
using generator::compared;
using generator::Comparison;
using generator::Finding;
using generator::Level;
using generator::Policy;
using generator::Release;

namespace {

struct Edit {
  std::string what;
  std::string before;
  std::string after;
};

Release released(const std::string& version) {
  return release(read_file(kSource / "schema/released" / (version + ".yaml")), version);
}

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

TEST_CASE("the hash does not cover the schema's allowances") {
  const std::string allow = ", allow: [{rule: FIELD_ID_CHANGED, reason: no such files}]}\n";
  const Comparison comparison = compared(
      schema(0, kStruct + kX), schema(0, kStruct + "      x: {id: 10, type: int" + allow), {}, Policy::full);
  CHECK(comparison.hash_before == comparison.hash_after);
}

TEST_CASE("no release differs from itself, by any policy") {
  for (const auto& entry : std::filesystem::directory_iterator(kSource / "schema/released")) {
    INFO(entry.path().string());
    const Release one = release(read_file(entry.path()), entry.path().filename().string());
    for (const Policy policy : {Policy::full, Policy::backward, Policy::pytorch}) {
      CHECK(compared(one, one, {one}, policy).findings.empty());
    }
  }
}

TEST_CASE("the head reads what earlier minors of its major wrote in binary") {
  // .pt2b readers rely on the meaning of ids.
  const Release head = release(read_file(kSource / "schema/pt2.yaml"), "pt2.yaml");
  std::size_t compared_releases = 0;
  for (const Release& earlier : earlier_releases(kSource / "schema/released")) {
    if (earlier.model.version.major_ != head.model.version.major_) continue;
    ++compared_releases;
    for (const Finding& finding : compared(earlier, head, {}, Policy::full).findings) {
      // No torch release wrote the roots of 8.6 to 8.8, which held several models.
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
