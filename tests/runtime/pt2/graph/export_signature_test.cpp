#include "pt2/graph/signature.h"

#include <catch2/catch.hpp>

#include "runtime/pt2/program_builder.h"
#include "schemagen/base/error.h"

using pt2::ExportGraphSignature;
using pt2::GraphSignature;
using pt2::InputSpec;
using pt2::OutputSpec;
using Names = ExportGraphSignature::Names;

namespace {

GraphSignature example() {
  GraphSignature signature;
  auto& parameter = signature.input_specs.emplace_back().emplace<InputSpec::parameter>();
  parameter.arg.name = "p_weight";
  parameter.parameter_name = "layer.weight";
  auto& buffer = signature.input_specs.emplace_back().emplace<InputSpec::buffer>();
  buffer.arg.name = "b_mean";
  buffer.buffer_name = "bn.mean";
  signature.input_specs.emplace_back().emplace<InputSpec::user_input>().arg = tensor("x");
  auto& constant = signature.input_specs.emplace_back().emplace<InputSpec::constant_input>();
  constant.name = "flag";
  constant.value.emplace<pt2::ConstantValue::as_bool>(true);
  auto& mutation = signature.output_specs.emplace_back().emplace<OutputSpec::buffer_mutation>();
  mutation.arg.name = "add";
  mutation.buffer_name = "bn.mean";
  auto& user = signature.output_specs.emplace_back().emplace<OutputSpec::user_input_mutation>();
  user.arg.name = "mul";
  user.user_input_name = "x";
  signature.output_specs.emplace_back().emplace<OutputSpec::loss_output>().arg.name = "loss";
  auto& gradient = signature.output_specs.emplace_back().emplace<OutputSpec::gradient_to_user_input>();
  gradient.arg.name = "grad";
  gradient.user_input_name = "x";
  return signature;
}

}  // namespace

TEST_CASE("a signature is looked up both ways") {
  const GraphSignature specs = example();
  const ExportGraphSignature signature(specs);
  CHECK(*signature.target_of_input("p_weight") == "layer.weight");
  CHECK(*signature.input_of_target("layer.weight") == "p_weight");
  CHECK(*signature.input_of_target("bn.mean") == "b_mean");
  CHECK(signature.target_of_input("x") == nullptr);
  CHECK(signature.target_of_input("none") == nullptr);
  CHECK(signature.input_of_target("x") == nullptr);
}

TEST_CASE("user_inputs() contains the values of constants") {
  const GraphSignature specs = example();
  const auto inputs = ExportGraphSignature(specs).user_inputs();
  REQUIRE(inputs.size() == 2);
  CHECK(inputs[0].name == "x");
  CHECK(inputs[1].name.empty());
  CHECK(inputs[1].constant.get<pt2::ConstantValue::as_bool>());
}

TEST_CASE("renaming an input renames it as a target") {
  GraphSignature specs = example();
  // The argument is a view of the name that is replaced.
  pt2::replace_all_uses(
      specs, specs.input_specs[2].get<InputSpec::user_input>().arg.get<pt2::Argument::as_tensor>().name, "y");
  const ExportGraphSignature signature(specs);
  CHECK(signature.user_inputs()[0].name == "y");
  CHECK(signature.user_inputs_to_mutate().at("mul") == "y");
  CHECK(signature.backward_signature()->gradients_to_user_inputs.at("grad") == "y");
  CHECK(signature.buffers_to_mutate().at("add") == "bn.mean");
}

TEST_CASE("replace_all_uses() does not change names in the model") {
  GraphSignature specs = example();
  specs.input_specs[1].get<InputSpec::buffer>().buffer_name = "x";
  pt2::replace_all_uses(specs, "x", "y");
  CHECK(ExportGraphSignature(specs).buffers() == Names{"x"});
}

TEST_CASE("the hook replaces outputs, and inputs on request") {
  GraphSignature specs = example();
  const auto hook = pt2::replace_hook(specs);
  hook({"add", "add_1", false, false});
  hook({"x", "y", true, false});
  CHECK(specs == example());
  hook({"add", "add_1", false, true});
  CHECK(ExportGraphSignature(specs).buffers_to_mutate().contains("add_1"));
  pt2::replace_hook(specs, true)({"x", "y", true, false});
  CHECK(ExportGraphSignature(specs).user_inputs()[0].name == "y");
}

TEST_CASE("two losses are an error") {
  GraphSignature specs = example();
  specs.output_specs.emplace_back().emplace<OutputSpec::loss_output>().arg.name = "other";
  const ExportGraphSignature signature(specs);
  CHECK_THROWS_WITH(signature.backward_signature(),
                    "graph_module.signature.output_specs: expected one loss output, got 2");
}
