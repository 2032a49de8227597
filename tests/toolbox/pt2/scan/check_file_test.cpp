#include "pt2/scan/check_file.h"

#include "scanned.h"
#include "thrown.h"

using pt2::check_file;
using pt2::CheckPolicy;
using pt2::Severity;

namespace {

/// `LEVEL RULE record`, without notes.
Found checked(const std::string& bytes, CheckPolicy policy) {
  pt2::CheckOptions options;
  options.policy = policy;
  Found found;
  for (const Finding& finding : check_file([&] { return pt2::FileBytes(bytes); }, options)) {
    if (finding.severity == Severity::note) continue;
    found.insert(std::string(severity_text(finding.severity)) + " " + pt2::rule_of(finding.rule).id + " " +
                 finding.record);
  }
  return found;
}

bool has_errors(const Found& found) {
  return !found.empty() && found.begin()->rfind("error ", 0) == 0;  // before `warning`
}

}  // namespace

TEST_CASE("nothing is found in what torch wrote, under any policy") {
  for (const CheckPolicy policy : {CheckPolicy::strict, CheckPolicy::load, CheckPolicy::inspect}) {
    CHECK(checked(content_of("programs/torch-2.13.0/mlp.pt2"), policy).empty());
    CHECK(checked(content_of("programs/torch-2.6.0/mlp.pt2"), policy).empty());
  }
}

TEST_CASE("every hostile file has errors for those who load it, and can be inspected if it can be read") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kData + "hostile")) {
    if (entry.path().extension() != ".pt2") continue;
    INFO(entry.path());
    const std::string bytes(pt2::read_file(entry.path().string()).view());
    CHECK(has_errors(checked(bytes, CheckPolicy::strict)));
    ++files;
  }
  CHECK(files >= 20);
}

TEST_CASE("policies differ in what is an error: native code is one unless the file is only inspected") {
  const std::string bytes = content_of("packages/both.pt2");
  CHECK(has_errors(checked(bytes, CheckPolicy::strict)));
  CHECK(has_errors(checked(bytes, CheckPolicy::load)));
  CHECK_FALSE(has_errors(checked(bytes, CheckPolicy::inspect)));
}

TEST_CASE("what is found twice, in a scan and in a program, is reported once") {
  const std::string bytes = package({{"models/model.json", "{"}});
  std::size_t unreadable = 0;
  for (const Finding& finding : check_file([&] { return pt2::FileBytes(bytes); }, {})) {
    unreadable += finding.record == "models/model.json" && is_not_understood(finding) ? 1 : 0;
  }
  CHECK(unreadable == 1);
}

TEST_CASE("a file that cannot be read is a finding, not an exception") {
  const std::vector<Finding> found =
      check_file([]() -> pt2::FileBytes { throw schemagen::DataError("too large"); }, {});
  REQUIRE(found.size() == 1);
  CHECK(found[0].rule == RuleId::unreadable);
  CHECK(found[0].severity == Severity::error);
  CHECK(found[0].message == "too large");
}

TEST_CASE("policies have names") {
  CHECK(pt2::policy_named("strict") == CheckPolicy::strict);
  CHECK(pt2::policy_named("load") == CheckPolicy::load);
  CHECK(pt2::policy_named("inspect") == CheckPolicy::inspect);
  CHECK(error_of<schemagen::UsageError>([] { pt2::policy_named("lax"); }) ==
        "policy: expected 'strict', 'load' or 'inspect'");
}
