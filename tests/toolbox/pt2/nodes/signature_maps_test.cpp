#include "pt2/nodes/signature_maps.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "program_files.h"
#include "pt2/graph/signature.h"
#include "pt2/program.h"
#include "runtime/pt2/program_builder.h"
#include "schemagen/base/error.h"

using pt2::SignatureMaps;

namespace {

std::set<std::string> set_of(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

std::set<std::string> set_of(const std::vector<pt2::UserValue>& values) {
  std::set<std::string> names;
  for (const pt2::UserValue& value : values) names.insert(value.name);
  return names;
}

SignatureMaps maps_of(const pt2::GraphModule& module) {
  const pt2::ExportGraphSignature signature(module.signature);
  SignatureMaps maps;
  for (std::size_t i = 0; i < module.graph.inputs.size(); ++i) {
    const std::string* const name = signature.inputs().at(i).name;
    maps.inputs.push_back({module.graph.inputs[i], name == nullptr ? "" : *name});
  }
  for (const pt2::Argument& output : module.graph.outputs) maps.outputs.push_back({output, ""});
  maps.user_inputs = set_of(signature.user_inputs());
  maps.inputs_to_parameters = signature.inputs_to_parameters();
  maps.inputs_to_buffers = signature.inputs_to_buffers();
  maps.non_persistent_buffers = set_of(signature.non_persistent_buffers());
  maps.buffers_to_mutate = signature.buffers_to_mutate();
  maps.parameters_to_mutate = signature.parameters_to_mutate();
  maps.user_inputs_to_mutate = signature.user_inputs_to_mutate();
  maps.user_outputs = set_of(signature.user_outputs());
  if (const auto backward = signature.backward_signature()) {
    maps.gradients_to_parameters = backward->gradients_to_parameters;
    maps.gradients_to_user_inputs = backward->gradients_to_user_inputs;
    maps.loss_output = backward->loss_output;
    maps.user_outputs.erase(backward->loss_output);
  }
  maps.input_tokens = set_of(signature.input_tokens());
  maps.output_tokens = set_of(signature.output_tokens());
  return maps;
}

}  // namespace

TEST_CASE("signature_from_maps() restores torch's signatures") {
  std::size_t programs = 0;
  for (const std::filesystem::path& path : program_files("programs/torch-2.13.0", ".pt2")) {
    INFO(path);
    const pt2::GraphModule module = pt2::load_program(path.string()).program.graph_module;
    const pt2::ExportGraphSignature signature(module.signature);
    // torch lifts constants later, so AOTAutograd does not see them.
    if (!signature.lifted_tensor_constants().empty() || !signature.lifted_custom_objs().empty()) continue;
    CHECK(pt2::signature_from_maps(maps_of(module)) == module.signature);
    ++programs;
  }
  CHECK(programs > 10);
}

TEST_CASE("the position determines mutations") {
  SignatureMaps maps;
  maps.outputs = {{tensor("add"), ""}, {tensor("add"), ""}};
  maps.buffers_to_mutate["add"] = "bn.mean";
  maps.user_outputs = {"add"};
  const pt2::GraphSignature signature = pt2::signature_from_maps(maps);
  CHECK(signature.output_specs[0].is<pt2::OutputSpec::buffer_mutation>());
  CHECK(signature.output_specs[1].is<pt2::OutputSpec::user_output>());
}

TEST_CASE("a tensor in none of the maps is an error") {
  SignatureMaps maps;
  maps.inputs = {{tensor("x"), ""}};
  CHECK_THROWS_WITH(pt2::signature_from_maps(maps),
                    "inputs[0]: the input 'x' is not in any map of the signature");
  maps.inputs.clear();
  maps.outputs = {{tensor("y"), ""}};
  CHECK_THROWS_WITH(pt2::signature_from_maps(maps),
                    "outputs[0]: the output 'y' is not in any map of the signature");
  maps.parameters_to_mutate["z"] = "weight";
  CHECK_THROWS_WITH(pt2::signature_from_maps(maps),
                    "outputs[0]: the mutation 'y' is not in any map of the signature");
}
