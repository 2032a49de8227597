#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "pt2/program.h"
#include "pt2/verify/verify.h"
#include "schemagen/base/error.h"
#include "thrown.h"

using pt2::Finding;
using pt2::RuleId;
using pt2::RuleSet;
using pt2::Severity;

namespace {

pt2::ExportedProgram program() {
  return pt2::load_program(PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/mlp.json").program;
}

constexpr pt2::Rule kNoRelu{"NO_RELU", Severity::warning, "relu is called", "Our chip has none."};

void find_relu(const pt2::ExportedProgram& program, const pt2::ProgramIndex& index,
               const RuleSet::Report& report) {
  CHECK(&index.top().graph() == &program.graph_module.graph);
  const std::vector<pt2::Node>& nodes = program.graph_module.graph.nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].target != "torch.ops.aten.relu.default") continue;
    report("graph_module.graph.nodes[" + std::to_string(i) + "]", "a relu");
  }
}

std::vector<std::string> found(const std::vector<Finding>& findings, const RuleSet& rules) {
  std::vector<std::string> texts;
  for (const Finding& finding : findings) {
    texts.push_back(std::string(pt2::severity_text(finding.severity)) + " " + rules.rule_of(finding.rule).id +
                    " " + finding.path);
  }
  return texts;
}

}  // namespace

TEST_CASE("a caller's rule joins the library's") {
  pt2::ExportedProgram broken = program();
  broken.verifiers.push_back("UNHEARD_OF");
  RuleSet rules;
  CHECK(found(pt2::verify(broken, rules), rules) == found(pt2::verify(broken), RuleSet()));
  const RuleId id = rules.add(kNoRelu, find_relu);
  CHECK(rules.find("NO_RELU") == id);
  CHECK(found(pt2::verify(broken, rules), rules) ==
        std::vector<std::string>{"warning NO_RELU graph_module.graph.nodes[1]",
                                 "warning VERIFIER_UNKNOWN verifiers[1]"});
  CHECK(pt2::verify(broken).size() == 1);  // only calls with the rule know it
}

TEST_CASE("rules are switched off, or made as grave as the caller likes") {
  pt2::ExportedProgram broken = program();
  broken.verifiers.push_back("UNHEARD_OF");
  RuleSet rules;
  const RuleId own = rules.add(kNoRelu, find_relu);
  rules.set_severity(own, Severity::error);
  rules.set_severity(rules.find("VERIFIER_UNKNOWN"), std::nullopt);
  CHECK(found(pt2::verify(broken, rules), rules) ==
        std::vector<std::string>{"error NO_RELU graph_module.graph.nodes[1]"});
  rules.set_severity(own, std::nullopt);
  CHECK(pt2::verify(broken, rules).empty());
}

TEST_CASE("rules that are there twice, or not at all, are refused") {
  RuleSet rules;
  rules.add(kNoRelu, find_relu);
  const auto message = [](const auto& action) { return error_of<schemagen::UsageError>(action); };
  CHECK(message([&] { rules.add(kNoRelu, find_relu); }) == "duplicate rule 'NO_RELU'");
  CHECK(message([&] {
          rules.add({"NAME_CODE", Severity::note, "", ""}, find_relu);
        }) == "duplicate rule 'NAME_CODE'");
  CHECK(message([&] { rules.find("NO_GELU"); }) == "unknown rule 'NO_GELU'");
  const RuleId other = static_cast<RuleId>(pt2::rules().size() + 1);
  CHECK(message([&] { rules.set_severity(other, std::nullopt); }).rfind("unknown rule number ", 0) == 0);
}
