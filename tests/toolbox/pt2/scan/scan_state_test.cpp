#include "pt2/scan/scan_state.h"

#include <catch2/catch.hpp>

using pt2::Finding;
using pt2::RuleId;
using pt2::ScanState;

TEST_CASE("at most 1000 findings of each rule are kept") {
  ScanState state(100, {});
  for (int i = 0; i < 1500; ++i) state.add(RuleId::not_understood, "a/b", "b", "text");
  state.add(RuleId::zip_trick, "", "", "text");
  const std::vector<Finding> found = state.take();
  CHECK(found.size() == 1001);
  CHECK(found.back().rule == RuleId::zip_trick);
}

TEST_CASE("what cannot be read is a finding with the fault and its place") {
  ScanState state(100, {});
  state.attempt(RuleId::not_understood, "data/weights/x.pt!a/data.pkl", "pickle",
                [] { throw schemagen::DataError("cut off", "nodes[3]", schemagen::Place{17}); });
  state.attempt(RuleId::not_understood, "y", "pickle", [] {});
  const std::vector<Finding> found = state.take();
  REQUIRE(found.size() == 1);
  CHECK(found[0].message == "pickle: nodes[3]: cut off");
  CHECK(found[0].record == "data/weights/x.pt!a/data.pkl");
  CHECK(found[0].what == "data.pkl");
  CHECK(found[0].place.offset == 17);
}

TEST_CASE("advice follows the errors and warnings of one scan, not its notes") {
  ScanState state(100, {});
  state.add(RuleId::not_understood, "", "", "before");
  state.advise("; do this", [&] {
    for (const pt2::Rule& rule : pt2::rules()) {
      if (const auto id = pt2::find_rule(rule.id)) state.add(*id, "", "", "found");
    }
  });
  const std::vector<Finding> found = state.take();
  CHECK(found[0].message == "before");
  for (std::size_t i = 1; i < found.size(); ++i) {
    CHECK(found[i].message == (found[i].severity == pt2::Severity::note ? "found" : "found; do this"));
  }
}

TEST_CASE("records of files inside of records are named after both") {
  CHECK(pt2::nested_record("", "a/b") == "a/b");
  CHECK(pt2::nested_record("a/b.pt", "c/data.pkl") == "a/b.pt!c/data.pkl");
  CHECK(pt2::file_of("a/b.pt!c/data.pkl") == "data.pkl");
  CHECK(pt2::file_of("a/b.pt!x") == "x");
  CHECK(pt2::file_of("plain") == "plain");
}
