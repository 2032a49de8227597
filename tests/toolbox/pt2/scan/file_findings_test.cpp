#include "pt2/scan/file_findings.h"

#include "scanned.h"

namespace {

std::set<RuleId> rules_in(const std::string& bytes) {
  const pt2::ProgramFile file{pt2::FileBytes(bytes)};
  std::set<RuleId> rules;
  for (const Finding& finding : pt2::findings_of(file, pt2::load_program(file))) {
    if (finding.severity != pt2::Severity::note) rules.insert(finding.rule);
  }
  return rules;
}

}  // namespace

TEST_CASE("nothing is found in a file that torch wrote") {
  CHECK(rules_in(content_of("programs/torch-2.13.0/mlp.pt2")).empty());
}

TEST_CASE("findings of the scan, the program and the weights come together") {
  std::string json = content_of("programs/torch-2.13.0/mlp.json");
  const std::string config = content_of("programs/torch-2.13.0/mlp.pt2");
  json = replaced(json, "\"torch.ops.aten.relu.default\"", "\"torch.ops.aten.relu.defualt\"");
  const std::set<RuleId> rules =
      rules_in(package({{"models/model.json", json},
                        {"extra/run.pkl", kCall},
                        {"data/weights/model_weights_config.json", R"({"config": {}})"}}));
  CHECK(rules.count(RuleId::weight_missing) == 1);
  CHECK(rules.size() >= 2);
}
