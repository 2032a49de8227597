#include <catch2/catch.hpp>
#include <string>

#include "pt2/archive/tensors/tensor.h"
#include "pt2/edit/retype.h"
#include "pt2/graph/walk.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "schemagen/base/error.h"
#include "thrown.h"
#include "toolbox/pt2/edit/errors.h"
#include "toolbox/pt2/edit/fixtures.h"

using pt2::Argument;
using pt2::ExportedProgram;
using pt2::ScalarType;

namespace {

ScalarType dtype_of(const ExportedProgram& program, const char* name) {
  return program.graph_module.graph.tensor_values.at(name).dtype;
}

std::size_t other_floats(ExportedProgram& program, ScalarType dtype) {
  std::size_t count = 0;
  pt2::for_each_graph(program.graph_module.graph, [&](const pt2::Graph& graph) {
    for (const auto& [name, meta] : graph.tensor_values) {
      count += pt2::is_convertible(meta.dtype) && meta.dtype != dtype ? 1 : 0;
    }
  });
  return count;
}

}  // namespace

TEST_CASE("a program of another dtype has it for all floats, and is as right as before") {
  for (const char* name : {"mlp.json", "cond.json", "dynamic.json", "gpt2.json", "mutate_buffer.json"}) {
    CAPTURE(name);
    ExportedProgram program = fixture(name);
    const auto errors = errors_of(program);
    const pt2::Retyped done = pt2::retarget(program, {ScalarType::BFLOAT16, {}});
    CHECK(done.changed > 0);
    CHECK(errors_of(program) == errors);
    if (done.casts == 0) CHECK(other_floats(program, ScalarType::BFLOAT16) == 0);
  }
}

TEST_CASE("a program goes to 16 bits and comes back as it was") {
  ExportedProgram program = fixture("mlp.json");
  const std::string before = schemagen::to_json(program);
  pt2::retarget(program, {ScalarType::HALF, {}});
  CHECK(schemagen::to_json(program) != before);
  pt2::retarget(program, {ScalarType::FLOAT, {}});
  CHECK(schemagen::to_json(program) == before);
}

TEST_CASE("kept weights are copied for nodes that are not, and kept nodes get copies of what they had") {
  ExportedProgram program = fixture("mlp.json");
  const pt2::Graph& graph = program.graph_module.graph;
  const std::string weight = graph.inputs.front().get<Argument::as_tensor>().name;
  const std::string result = *pt2::first_name(graph.nodes.back().outputs);
  const pt2::Retyped done = pt2::retarget(program, {ScalarType::BFLOAT16, {weight, result}});
  CHECK(done.casts > 1);
  CHECK(dtype_of(program, weight.c_str()) == ScalarType::FLOAT);
  CHECK(dtype_of(program, result.c_str()) == ScalarType::FLOAT);
  CHECK(dtype_of(program, "_to_copy") == ScalarType::BFLOAT16);
  CHECK(errors_of(program).empty());
}

TEST_CASE("what is kept has a name in the program") {
  ExportedProgram program = fixture("mlp.json");
  const std::string before = schemagen::to_json(program);
  CHECK(error_of<schemagen::UsageError>([&] {
          pt2::retarget(program, {ScalarType::BFLOAT16, {"nowhere"}});
        }) == "unknown name to keep: 'nowhere'; expected names of weights, inputs, nodes or modules");
  CHECK(schemagen::to_json(program) == before);
}

TEST_CASE("nodes of which nobody knows what they would give are refused, unless they are kept") {
  ExportedProgram program = fixture("mlp.json");
  pt2::Node& node = program.graph_module.graph.nodes.back();
  node.target = "torch.ops.my.own.default";
  const std::string name = *pt2::first_name(node.outputs);
  const std::string message = error_of<schemagen::UsageError>([&] {
    pt2::retarget(program, {ScalarType::BFLOAT16, {}});
  });
  CHECK(message == "cannot retype 1 node to bfloat16: '" + name +
                       "' (torch.ops.my.own.default): the operator is unknown; hint: keep these nodes, which "
                       "then compute as before: " +
                       name);
  pt2::retarget(program, {ScalarType::BFLOAT16, {name}});
  CHECK(dtype_of(program, name.c_str()) == ScalarType::FLOAT);
}
