#include "pt2/report/reports.h"

#include <optional>
#include <string>
#include <vector>

#include "pt2/graph/signature.h"

namespace pt2 {
namespace {

void write(schemagen::JsonWriter& json, const std::vector<std::string>& names) {
  json.begin('[');
  for (const std::string& name : names) json.string(name);
  json.end(']');
}

void write(schemagen::JsonWriter& json, const schemagen::Map<std::string>& names) {
  json.begin('{');
  for (const auto& [name, target] : names) json.key(name).string(target);
  json.end('}');
}

void write(schemagen::JsonWriter& json, const UserValue& value) {
  const ConstantValue& constant = value.constant;
  if (!value.name.empty()) {
    json.string(value.name);
  } else if (const auto* number = constant.get_if<ConstantValue::as_int>()) {
    json.integer(*number);
  } else if (const auto* real = constant.get_if<ConstantValue::as_float>()) {
    json.floating(*real);
  } else if (const auto* flag = constant.get_if<ConstantValue::as_bool>()) {
    json.boolean(*flag);
  } else if (const auto* text = constant.get_if<ConstantValue::as_string>()) {
    json.string(*text);
  } else {
    json.null();
  }
}

void write(schemagen::JsonWriter& json, const std::vector<UserValue>& values) {
  json.begin('[');
  for (const UserValue& value : values) write(json, value);
  json.end(']');
}

void write(schemagen::JsonWriter& json, const std::optional<ExportBackwardSignature>& backward) {
  if (!backward) {
    json.null();
    return;
  }
  json.begin('{').key("gradients_to_parameters");
  write(json, backward->gradients_to_parameters);
  json.key("gradients_to_user_inputs");
  write(json, backward->gradients_to_user_inputs);
  json.key("loss_output").string(backward->loss_output).end('}');
}

}  // namespace

void write_signature(schemagen::JsonWriter& json, const GraphSignature& specs) {
  const ExportGraphSignature signature(specs);
  const auto property = [&](const char* name, const auto& value) {
    json.key(name);
    write(json, value);
  };
  json.begin('{');
  property("parameters", signature.parameters());
  property("buffers", signature.buffers());
  property("non_persistent_buffers", signature.non_persistent_buffers());
  property("lifted_tensor_constants", signature.lifted_tensor_constants());
  property("lifted_custom_objs", signature.lifted_custom_objs());
  property("user_inputs", signature.user_inputs());
  property("user_outputs", signature.user_outputs());
  property("inputs_to_parameters", signature.inputs_to_parameters());
  property("inputs_to_buffers", signature.inputs_to_buffers());
  property("buffers_to_mutate", signature.buffers_to_mutate());
  property("parameters_to_mutate", signature.parameters_to_mutate());
  property("user_inputs_to_mutate", signature.user_inputs_to_mutate());
  property("inputs_to_lifted_tensor_constants", signature.inputs_to_lifted_tensor_constants());
  property("inputs_to_lifted_custom_objs", signature.inputs_to_lifted_custom_objs());
  property("backward_signature", signature.backward_signature());
  json.key("assertion_dep_token").null();  // as in torch
  property("input_tokens", signature.input_tokens());
  property("output_tokens", signature.output_tokens());
  json.end('}');
}

std::string signature_json(const GraphSignature& signature) {
  schemagen::JsonWriter json(report_options());
  write_signature(json, signature);
  return std::string(json.view());
}

}  // namespace pt2
