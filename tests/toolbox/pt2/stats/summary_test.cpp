#include "pt2/stats/stats.h"

#include <catch2/catch.hpp>
#include <limits>

#include "pt2/program.h"

using pt2::Counts;
using pt2::ProgramSummary;

namespace {

pt2::ExportedProgram load(const std::string& model) {
  return pt2::load_program(PT2_SOURCE_DIR "/tests/data/programs/torch-2.13.0/" + model + ".json").program;
}

pt2::ExportedProgram program_with_parameters(const std::vector<std::int64_t>& sizes) {
  pt2::ExportedProgram program;
  for (const std::int64_t size : sizes) {
    const std::string name = std::to_string(program.graph_module.graph.tensor_values.size());
    pt2::TensorMeta& meta = program.graph_module.graph.tensor_values[name];
    meta.dtype = pt2::ScalarType::DOUBLE;
    if (size >= 0) {
      meta.sizes.emplace_back().emplace<pt2::SymInt::as_int>(size);
    } else {
      meta.sizes.emplace_back().emplace<pt2::SymInt::as_expr>();
    }
    program.graph_module.signature.input_specs.emplace_back().emplace<pt2::InputSpec::parameter>().arg.name =
        name;
  }
  return program;
}

}  // namespace

TEST_CASE("counts the tensors of a program") {
  const ProgramSummary summary = pt2::summarize(load("mlp"));
  CHECK(summary.parameters.tensors == 4);
  CHECK(summary.parameters.elements == 58);
  CHECK(summary.parameters.bytes == 232);
  CHECK(summary.buffers.tensors == 1);
  CHECK(summary.buffers.bytes == 8);
  CHECK(summary.non_persistent_buffers.tensors == 1);
  CHECK(summary.non_persistent_buffers.bytes == 8);
  CHECK(summary.constants.tensors == 0);
  CHECK(pt2::summarize(load("lifted_constants")).constants.tensors == 2);
}

TEST_CASE("leaves tensors of unknown size out of the sums") {
  const ProgramSummary summary = pt2::summarize(program_with_parameters({10, -1, 5}));
  CHECK(summary.parameters.tensors == 3);
  CHECK(summary.parameters.elements == 15);
  CHECK(summary.parameters.bytes == 120);
  CHECK(summary.parameters.unsized == 1);
}

TEST_CASE("does not overflow on impossible sizes") {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const ProgramSummary too_many_bytes = pt2::summarize(program_with_parameters({most}));
  CHECK(too_many_bytes.parameters.unsized == 1);
  const ProgramSummary too_large_a_sum = pt2::summarize(program_with_parameters({most / 8, most / 8}));
  CHECK(too_large_a_sum.parameters.bytes == most);
  CHECK(too_large_a_sum.parameters.elements == most / 8 * 2);
}

TEST_CASE("lists user inputs and outputs, and counts the others") {
  const ProgramSummary summary = pt2::summarize(load("joint"));
  REQUIRE(summary.user_inputs.size() == 2);
  CHECK(summary.user_inputs[0].name == "x");
  CHECK(summary.user_inputs[0].type == "f32[4, 3]");
  CHECK(summary.user_outputs.empty());
  CHECK(summary.other_inputs ==
        pt2::KindCounts<pt2::InputSpec>{{pt2::InputSpec::parameter, 4}, {pt2::InputSpec::buffer, 3}});
  CHECK(summary.other_outputs ==
        pt2::KindCounts<pt2::OutputSpec>{{pt2::OutputSpec::loss_output, 1},
                                         {pt2::OutputSpec::buffer_mutation, 3},
                                         {pt2::OutputSpec::gradient_to_parameter, 4}});
}

TEST_CASE("lists literals among inputs and outputs") {
  const ProgramSummary kwargs = pt2::summarize(load("pytree_kwargs"));
  CHECK(kwargs.user_inputs.back().name == "k");
  CHECK(kwargs.user_inputs.back().constant == "3");
  CHECK(kwargs.user_outputs.back().name == "None");
  CHECK(kwargs.user_outputs.back().type.empty());
  const ProgramSummary symbols = pt2::summarize(load("sym_values"));
  CHECK(symbols.user_outputs.back().type == "float(1.5*ToFloat(2*s39))");
}

TEST_CASE("counts nodes and operators of all graphs, the most frequent operator first") {
  const ProgramSummary cond = pt2::summarize(load("cond"));
  CHECK(cond.nodes == 5);
  CHECK(cond.subgraphs == 2);
  CHECK(pt2::count_nodes(load("cond").graph_module.graph) == 5);
  const ProgramSummary mlp = pt2::summarize(load("mlp"));
  CHECK(mlp.operators == Counts{{"aten.linear.default", 2},
                                {"aten.add.Tensor", 1},
                                {"aten.mul.Tensor", 1},
                                {"aten.relu.default", 1}});
}
