#include "pt2/nodes/signature_maps.h"

#include "pt2/graph/signature.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/value_path.h"

namespace pt2 {
namespace {

template <auto K, class Spec>
bool set_from(Spec& spec, const schemagen::Map<std::string>& targets, const std::string& name) {
  const std::string* const target = targets.find(name);
  if (target == nullptr) return false;
  spec.template emplace<K>();
  const auto parts = parts_of(spec);
  *parts.name = name;
  *parts.target = *target;
  return true;
}

[[noreturn]] void fail_unknown(const char* what, const std::string& name, const char* specs,
                               std::size_t index) {
  std::string path = specs;
  schemagen::append_index(path, index);
  throw schemagen::DataError(
      std::string("the ") + what + " " + schemagen::quoted(name) + " is not in any map of the signature",
      path);
}

InputSpec input_spec(const SignatureMaps& maps, std::size_t index) {
  const SignatureValue& input = maps.inputs[index];
  InputSpec spec;
  spec.emplace<InputSpec::user_input>().arg = input.argument;
  const auto* const tensor = input.argument.get_if<Argument::as_tensor>();
  if (tensor == nullptr) {
    const ConstantValue constant = constant_of(input.argument);
    if (constant.kind() == ConstantValue::unset) return spec;
    InputToConstantInputSpec& fixed = spec.emplace<InputSpec::constant_input>();
    fixed.name = input.name;
    fixed.value = constant;
    return spec;
  }
  const std::string name = tensor->name;
  if (maps.input_tokens.count(name) != 0) {
    spec.emplace<InputSpec::token>().arg.name = name;
    return spec;
  }
  if (maps.user_inputs.count(name) != 0) return spec;
  if (set_from<InputSpec::parameter>(spec, maps.inputs_to_parameters, name)) return spec;
  if (set_from<InputSpec::buffer>(spec, maps.inputs_to_buffers, name)) {
    InputToBufferSpec& buffer = spec.get<InputSpec::buffer>();
    buffer.persistent = maps.non_persistent_buffers.count(buffer.buffer_name) == 0;
    return spec;
  }
  fail_unknown("input", name, "inputs", index);
}

OutputSpec output_spec(const SignatureMaps& maps, std::size_t index) {
  OutputSpec spec;
  spec.emplace<OutputSpec::user_output>().arg = maps.outputs[index].argument;
  const auto* const tensor = maps.outputs[index].argument.get_if<Argument::as_tensor>();
  if (tensor == nullptr) return spec;
  const std::string name = tensor->name;
  if (maps.output_tokens.count(name) != 0) {
    spec.emplace<OutputSpec::token>().arg.name = name;
    return spec;
  }
  const std::size_t mutations = maps.buffers_to_mutate.size() + maps.parameters_to_mutate.size() +
                                maps.user_inputs_to_mutate.size() + maps.output_tokens.size();
  if (index < mutations) {
    if (set_from<OutputSpec::buffer_mutation>(spec, maps.buffers_to_mutate, name) ||
        set_from<OutputSpec::parameter_mutation>(spec, maps.parameters_to_mutate, name) ||
        set_from<OutputSpec::user_input_mutation>(spec, maps.user_inputs_to_mutate, name)) {
      return spec;
    }
    fail_unknown("mutation", name, "outputs", index);
  }
  if (maps.user_outputs.count(name) != 0 ||
      set_from<OutputSpec::gradient_to_parameter>(spec, maps.gradients_to_parameters, name) ||
      set_from<OutputSpec::gradient_to_user_input>(spec, maps.gradients_to_user_inputs, name)) {
    return spec;
  }
  if (name != maps.loss_output) fail_unknown("output", name, "outputs", index);
  spec.emplace<OutputSpec::loss_output>().arg.name = name;
  return spec;
}

}  // namespace

GraphSignature signature_from_maps(const SignatureMaps& maps) {
  GraphSignature signature;
  for (std::size_t i = 0; i < maps.inputs.size(); ++i) {
    signature.input_specs.push_back(input_spec(maps, i));
  }
  for (std::size_t i = 0; i < maps.outputs.size(); ++i) {
    signature.output_specs.push_back(output_spec(maps, i));
  }
  return signature;
}

}  // namespace pt2
