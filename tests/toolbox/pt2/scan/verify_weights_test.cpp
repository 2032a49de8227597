#include "pt2/scan/verify_weights.h"

#include <catch2/catch.hpp>
#include <string>

#include "pt2/archive/archive.h"
#include "pt2/program.h"
#include "runtime/pt2/archive/zip_builder.h"
#include "runtime/pt2/program_builder.h"

using zip_builder::stored;

namespace {

pt2::ExportedProgram program_with_weight() {
  pt2::ExportedProgram program = program_of(graph_of({"p_w"}, {}, {"p_w"}));
  auto& weight = program.graph_module.signature.input_specs[0].emplace<pt2::InputSpec::parameter>();
  weight.arg.name = "p_w";
  weight.parameter_name = "w";
  pt2::SymInt two;
  two.emplace<pt2::SymInt::as_int>(2);
  program.graph_module.graph.tensor_values.at("p_w").sizes = {two};
  return program;
}

std::vector<std::string> findings(const std::string& name, const std::string& dtype, const std::string& size,
                                  const std::string& stride = "1", const std::string& record = "abcdefgh") {
  const std::string config = "{\"config\": {\"" + name +
                             "\": {\"path_name\": \"weight_0\", \"is_param\": true, \"use_pickle\": false, " +
                             "\"tensor_meta\": {\"dtype\": " + dtype + ", \"sizes\": [{\"as_int\": " + size +
                             "}], \"requires_grad\": false, \"device\": {\"type\": \"cpu\", \"index\": "
                             "null}, \"strides\": [{\"as_int\": " +
                             stride + "}], \"storage_offset\": {\"as_int\": 0}, \"layout\": 7}}}}";
  const std::string bytes =
      zip_builder::build({stored("top/archive_format", "pt2"), stored("top/models/m.json", "{}"),
                          stored("top/data/weights/m_weights_config.json", config),
                          stored("top/data/weights/weight_0", record)});
  const pt2::Archive archive = pt2::open_archive(bytes);
  std::vector<std::string> texts;
  for (const pt2::Finding& finding : pt2::verify_weights(program_with_weight(), archive, "m")) {
    texts.push_back(finding.path + " " + pt2::rule_of(finding.rule).id + ": " + finding.message);
  }
  return texts;
}

using Texts = std::vector<std::string>;
const std::string kInput = "graph_module.signature.input_specs[0] ";

}  // namespace

TEST_CASE("weights are what the graph says of them") {
  CHECK(findings("w", "7", "2") == Texts{});
  CHECK(findings("v", "7", "2") == Texts{kInput + "WEIGHT_MISSING: the archive has no tensor or object 'w'"});
  CHECK(findings("w", "4", "2") ==
        Texts{kInput + "WEIGHT_MISMATCH: 'w' is FLOAT in the graph, but INT in the archive"});
  CHECK(findings("w", "7", "1") ==
        Texts{kInput +
              "WEIGHT_MISMATCH: 'w' has the sizes [1] in the archive, but different sizes in the graph"});
}

TEST_CASE("a tensor that reaches beyond its record is found") {
  const Texts found = findings("w", "7", "2", "2");
  REQUIRE(found.size() == 1);
  CHECK(found[0].find(" WEIGHT_RECORD: ") == 0);
  CHECK(found[0].find("tensor 'w'") != std::string::npos);
}

TEST_CASE("tensors without bytes are found") {
  CHECK(findings("w", "7", "2", "1", "") ==
        Texts{" WEIGHT_STRIPPED: the archive has no bytes for 1 tensor, such as 'w': torch loads zeros"});
}

TEST_CASE("a weight of a class that torchao registers is a note that names the release") {
  const pt2::ProgramFile file =
      pt2::open_program_file(PT2_SOURCE_DIR "/tests/data/packages/int8_weights.pt2");
  const std::vector<pt2::Finding> found =
      pt2::verify_weights(pt2::load_program(file).program, *file.archive(), "model");
  REQUIRE(found.size() == 2);
  CHECK(found[0].rule == pt2::RuleId::weight_class);
  CHECK(found[0].severity == pt2::Severity::note);
  CHECK(found[0].message ==
        "'0.weight' is a torchao.quantization.Int8Tensor, which needs torchao 0.15 or later");
}
