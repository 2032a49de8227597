#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "pt2/canonical/canonical.h"
#include "pt2/edit/slim.h"
#include "pt2/graph/signature.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "pt2/verify/verify.h"
#include "schemagen/base/error.h"
#include "thrown.h"
#include "toolbox/pt2/edit/fixtures.h"

using pt2::SlimPart;

namespace {

std::size_t errors_of(const pt2::ExportedProgram& program) {
  const std::vector<pt2::Finding> findings = pt2::verify(program);
  return static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(), [](const auto& finding) {
    return finding.severity == pt2::Severity::error;
  }));
}

}  // namespace

TEST_CASE("what a program can do without is taken out, and it computes what it did") {
  const std::size_t count = for_each_fixture([](const pt2::ExportedProgram& original) {
    const auto errors = errors_of(original);
    const auto hash = pt2::content_hash(original);
    for (const SlimPart part : {SlimPart::stack_traces, SlimPart::metadata, SlimPart::names}) {
      pt2::ExportedProgram program = original;
      CHECK(pt2::slim(program, part).empty());
      CHECK(errors_of(program) <= errors);
      CHECK(pt2::content_hash(program) == hash);
    }
  });
  CHECK(count > 50);
}

TEST_CASE("weights are unused if no node, output, mutation and module names them") {
  const pt2::ExportedProgram original = fixture("shared_weights.json");
  pt2::ExportedProgram program = original;
  CHECK(pt2::slim(program, SlimPart::unused) == std::vector<std::string>{"e.weight", "big"});
  CHECK(errors_of(program) == 0);
  CHECK(program.graph_module.graph.inputs.size() == original.graph_module.graph.inputs.size() - 2);
  CHECK_FALSE(program.graph_module.graph.tensor_values.contains("p_e_weight"));
  CHECK(pt2::slim(program, SlimPart::unused).empty());
  pt2::ExportedProgram changed = fixture("mutate_buffer.json");
  CHECK(pt2::slim(changed, SlimPart::unused).empty());
}

TEST_CASE("what each part saved is what the JSON is shorter by, in the order of the parts") {
  pt2::LoadedProgram loaded;
  loaded.program = fixture("gpt2.json");
  const std::size_t before = schemagen::to_json(loaded.program).size();
  pt2::SlimOptions options;
  options.parts = {SlimPart::metadata, SlimPart::stack_traces};
  const std::vector<pt2::SlimSaving> savings = pt2::slim(loaded, options);
  REQUIRE(savings.size() == 2);
  CHECK(savings[0].part == SlimPart::stack_traces);
  CHECK(savings[0].bytes > 0);
  CHECK(savings[0].bytes + savings[1].bytes == before - schemagen::to_json(loaded.program).size());
}

TEST_CASE("archives with pickled weights and files that are not archives are refused with a remedy") {
  const auto slimmed = [](const std::string& path) {
    const pt2::ProgramFile file = pt2::open_program_file(PT2_SOURCE_DIR "/tests/data/programs/" + path);
    return error_of<schemagen::Error>([&] { pt2::slim_archive(file, {}, [](std::string_view) {}); });
  };
  CHECK(slimmed("torch-2.6.0/mlp.pt2") ==
        "the weights are pickled; convert the archive to raw weights with pt2 convert first");
  CHECK(slimmed("torch-2.13.0/mlp.json") == "the file is not an archive");
}
