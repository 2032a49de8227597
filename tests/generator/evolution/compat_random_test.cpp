#include <algorithm>
#include <catch2/catch.hpp>

#include "cpp/generate.h"
#include "evolution/compat.h"
#include "front/resolve.h"
#include "generator/random_schema.h"
#include "model/canonical.h"
#include "runtime/test_seed.h"

using generator::Bump;
using generator::compared;
using generator::Comparison;
using generator::Diagnostics;
using generator::Finding;
using generator::Model;
using generator::Policy;
using generator::Release;
using schemagen_test::edit_kinds;
using schemagen_test::edited;
using schemagen_test::EditKind;
using schemagen_test::Random;
using schemagen_test::random_schema;
using schemagen_test::yaml_text;

namespace {

/// Loading YAML checks the schema.
Release release(const Model& model, const std::string& file) {
  Diagnostics diagnostics(file, yaml_text(model));
  auto loaded = generator::load_model(diagnostics, generator::rule_ids());
  INFO(diagnostics.render());
  REQUIRE(loaded);
  CHECK(normal_form(*loaded) == normal_form(model));
  return {file, diagnostics.text(), *std::move(loaded)};
}

bool has(const Comparison& comparison, std::string_view rule) {
  return rule.empty() || std::any_of(comparison.findings.begin(), comparison.findings.end(),
                                     [&](const Finding& finding) { return finding.rule->id == rule; });
}

struct Expected {
  Bump there = Bump::none;
  Bump back = Bump::none;
  bool same_json = true;
  bool same_binary = true;
  std::vector<const EditKind*> edits;

  void add(const EditKind& edit) {
    there = std::max(there, edit.there);
    back = std::max(back, edit.back);
    same_json = same_json && edit.same_json;
    same_binary = same_binary && edit.same_binary;
    edits.push_back(&edit);
  }
};

void check(const Model& before, const Model& after, const Expected& expected) {
  const Release old_release = release(before, "old.yaml");
  const Release new_release = release(after, "new.yaml");
  INFO(old_release.text << "---\n" << new_release.text);
  const Comparison there = compared(old_release, new_release, {}, Policy::full);
  const Comparison back = compared(new_release, old_release, {}, Policy::full);
  CHECK(there.required == expected.there);
  CHECK(back.required == expected.back);
  CHECK(there.version_suffices == (expected.there == Bump::none));
  for (const EditKind* edit : expected.edits) {
    INFO(edit->name);
    CHECK(has(there, edit->rule));
    CHECK(has(back, edit->back_rule));
  }
  REQUIRE(there.roots.size() == 1);
  CHECK(there.roots[0].json == expected.same_json);
  CHECK(there.roots[0].binary == expected.same_binary);
  CHECK(compared(old_release, new_release, {}, Policy::backward).required <= expected.there);
}

}  // namespace

TEST_CASE("random schemas are valid and differ from none of themselves") {
  Random random(test_seed());
  for (int i = 0; i < 100; ++i) {
    const Release one = release(random_schema(random), "s.yaml");
    for (const Policy policy : {Policy::full, Policy::backward, Policy::pytorch}) {
      CHECK(compared(one, one, {}, policy).findings.empty());
    }
  }
}

TEST_CASE("a random schema of two files is the schema that it is as one") {
  Random random(test_seed() + 2);
  for (int i = 0; i < 100; ++i) {
    const Model model = random_schema(random);
    const schemagen_test::SplitText texts = split_text(model, "b.yaml", random);
    Diagnostics diagnostics("s.yaml", texts.schema);
    auto loaded = generator::load_model(diagnostics, generator::rule_ids(),
                                        {"", [&](const std::string&) { return texts.imported; }});
    INFO(diagnostics.render());
    REQUIRE(loaded);
    CHECK(normal_form(*loaded) == normal_form(model));
    const Release whole = release(model, "s.yaml");
    const Release split = {"s.yaml", texts.schema, *std::move(loaded), {{"b.yaml", texts.imported}}};
    for (const Policy policy : {Policy::full, Policy::backward, Policy::pytorch}) {
      CHECK(compared(whole, split, {}, policy).findings.empty());
      CHECK(compared(split, whole, {}, policy).findings.empty());
    }
  }
}

TEST_CASE("an edit with known effects gets the right verdict in both directions") {
  Random random(test_seed());
  for (std::size_t kind = 0; kind < edit_kinds().size(); ++kind) {
    INFO(edit_kinds()[kind].name);
    constexpr int kTries = 12;
    int tried = 0;
    for (int i = 0; i < 2000 && tried < kTries; ++i) {
      const Model before = random_schema(random);
      std::set<std::string> touched;
      const auto after = edited(before, kind, random, touched);
      if (!after) continue;
      ++tried;
      Expected expected;
      expected.add(edit_kinds()[kind]);
      check(before, *after, expected);
    }
    CHECK(tried == kTries);
  }
}

TEST_CASE("several edits amount to the gravest of them") {
  Random random(test_seed() + 1);
  for (int i = 0; i < 100; ++i) {
    const Model before = random_schema(random);
    Model after = before;
    Expected expected;
    std::set<std::string> touched;
    for (std::size_t tries = 2 + random.below(4); tries > 0; --tries) {
      const std::size_t kind = random.below(edit_kinds().size());
      auto next = edited(after, kind, random, touched);
      if (!next) continue;
      after = *std::move(next);
      expected.add(edit_kinds()[kind]);
    }
    check(before, after, expected);
  }
}
