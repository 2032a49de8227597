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

TEST_CASE("two losses are an error") {
  GraphSignature specs = example();
  specs.output_specs.emplace_back().emplace<OutputSpec::loss_output>().arg.name = "other";
  const ExportGraphSignature signature(specs);
  CHECK_THROWS_WITH(signature.backward_signature(),
                    "graph_module.signature.output_specs: expected one loss output, got 2");
}
