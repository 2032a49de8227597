#include "pt2/graph/signature.h"

#include "pt2/graph/spec_kinds.h"
#include "pt2/graph/walk.h"
#include "pt2/text/literal.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using Names = ExportGraphSignature::Names;
using NameMap = ExportGraphSignature::NameMap;

template <class Parts, class Kind, class IsWanted>
Names targets(const std::vector<Parts>& specs, Kind kind, const IsWanted& is_wanted) {
  Names names;
  for (const Parts& parts : specs) {
    if (parts.kind == kind && is_wanted(parts)) names.push_back(*parts.target);
  }
  return names;
}

template <class Parts, class Kind>
Names targets(const std::vector<Parts>& specs, Kind kind) {
  return targets(specs, kind, [](const Parts&) { return true; });
}

template <class Parts, class Kind>
NameMap names_to_targets(const std::vector<Parts>& specs, Kind kind) {
  NameMap map;
  for (const Parts& parts : specs) {
    if (parts.kind == kind) map[*parts.name] = *parts.target;
  }
  return map;
}

template <class Parts, class Kind>
Names names(const std::vector<Parts>& specs, Kind kind) {
  Names names;
  for (const Parts& parts : specs) {
    if (parts.kind == kind) names.push_back(*parts.name);
  }
  return names;
}

template <class Parts>
UserValue user_value(const Parts& parts) {
  if (parts.constant != nullptr) return {"", *parts.constant};
  if (parts.name != nullptr) return {*parts.name, {}};
  return {"", constant_of(*parts.argument)};
}

template <class Kind>
struct SpecKindRow {
  Kind kind;
  SpecKind info;
};

constexpr SpecKindRow<InputSpec::Kind> kInputKinds[] = {
    {InputSpec::token, {"TOKEN", 0}},
    {InputSpec::parameter, {"PARAMETER", 1}},
    {InputSpec::buffer, {"BUFFER", 2}},
    {InputSpec::tensor_constant, {"CONSTANT_TENSOR", 3}},
    {InputSpec::custom_obj, {"CUSTOM_OBJ", 4}},
    {InputSpec::user_input, {"USER_INPUT", 5}},
    {InputSpec::constant_input, {"USER_INPUT", 6}},
};

constexpr SpecKindRow<OutputSpec::Kind> kOutputKinds[] = {
    {OutputSpec::token, {"TOKEN", 0}},
    {OutputSpec::parameter_mutation, {"PARAMETER_MUTATION", 1}},
    {OutputSpec::buffer_mutation, {"BUFFER_MUTATION", 2}},
    {OutputSpec::user_input_mutation, {"USER_INPUT_MUTATION", 3}},
    {OutputSpec::user_output, {"USER_OUTPUT", 4}},
    {OutputSpec::loss_output, {"LOSS_OUTPUT", 4}},
    {OutputSpec::gradient_to_parameter, {"GRADIENT_TO_PARAMETER", 5}},
    {OutputSpec::gradient_to_user_input, {"GRADIENT_TO_USER_INPUT", 6}},
};

template <class Rows, class Kind>
SpecKind kind_in(const Rows& rows, Kind kind) noexcept {
  for (const auto& row : rows) {
    if (row.kind == kind) return row.info;
  }
  return {"UNSET", -1};
}

template <class Parts>
std::string lines(const std::vector<Parts>& specs) {
  std::string text;
  for (const Parts& parts : specs) {
    text += (parts.name == nullptr ? "" : schemagen::printable(*parts.name)) + ": " +
            spec_kind(parts.kind).torch_name;
    if (parts.target != nullptr) text += " target='" + schemagen::printable(*parts.target) + "'";
    if (parts.persistent) text += " persistent=" + bool_literal(*parts.persistent);
    text += "\n";
  }
  return text.empty() ? "\n" : text;
}

template <class Spec>
void replace_in(std::vector<Spec>& specs, std::string_view old_name, std::string_view new_name) {
  const auto replace = [&](std::string& name) {
    if (name == old_name) name = new_name;
  };
  for (Spec& spec : specs) {
    const auto parts = parts_of(spec);
    if (parts.argument != nullptr) {
      for_each_name(*parts.argument, replace);
    } else if (parts.name != nullptr) {
      replace(*parts.name);
    }
    if (parts.target_is_input) replace(*parts.target);
  }
}

}  // namespace

SpecKind spec_kind(InputSpec::Kind kind) noexcept {
  return kind_in(kInputKinds, kind);
}
SpecKind spec_kind(OutputSpec::Kind kind) noexcept {
  return kind_in(kOutputKinds, kind);
}

ConstantValue constant_of(const Argument& literal) {
  ConstantValue constant;
  if (literal.is<Argument::as_none>()) constant.emplace<ConstantValue::as_none>(true);
  if (const auto* value = literal.get_if<Argument::as_bool>())
    constant.emplace<ConstantValue::as_bool>(*value);
  if (const auto* value = literal.get_if<Argument::as_int>()) constant.emplace<ConstantValue::as_int>(*value);
  if (const auto* value = literal.get_if<Argument::as_float>())
    constant.emplace<ConstantValue::as_float>(*value);
  if (const auto* value = literal.get_if<Argument::as_string>())
    constant.emplace<ConstantValue::as_string>(*value);
  return constant;
}

ExportGraphSignature::ExportGraphSignature(const GraphSignature& signature) {
  inputs_.reserve(signature.input_specs.size());
  outputs_.reserve(signature.output_specs.size());
  targets_.reserve(signature.input_specs.size());
  names_.reserve(signature.input_specs.size());
  for (const InputSpec& spec : signature.input_specs) {
    const auto parts = parts_of(spec);
    inputs_.push_back(parts);
    if (parts.target == nullptr) continue;
    targets_[*parts.name] = parts.target;
    const auto [name, is_new] = names_.try_emplace(*parts.target);
    if (is_new) *name = parts.name;
  }
  for (const OutputSpec& spec : signature.output_specs) outputs_.push_back(parts_of(spec));
}

const std::string* ExportGraphSignature::target_of_input(std::string_view input) const {
  const std::string* const* const target = targets_.find(input);
  return target == nullptr ? nullptr : *target;
}

const std::string* ExportGraphSignature::input_of_target(std::string_view target) const {
  const std::string* const* const name = names_.find(target);
  return name == nullptr ? nullptr : *name;
}

Names ExportGraphSignature::parameters() const {
  return targets(inputs_, InputSpec::parameter);
}

Names ExportGraphSignature::buffers() const {
  return targets(inputs_, InputSpec::buffer);
}

Names ExportGraphSignature::non_persistent_buffers() const {
  return targets(inputs_, InputSpec::buffer, [](const auto& parts) { return parts.persistent == false; });
}

Names ExportGraphSignature::lifted_tensor_constants() const {
  return targets(inputs_, InputSpec::tensor_constant);
}

Names ExportGraphSignature::lifted_custom_objs() const {
  return targets(inputs_, InputSpec::custom_obj);
}

std::vector<UserValue> ExportGraphSignature::user_inputs() const {
  std::vector<UserValue> values;
  for (const auto& parts : inputs_) {
    if (parts.argument != nullptr || parts.constant != nullptr) values.push_back(user_value(parts));
  }
  return values;
}

std::vector<UserValue> ExportGraphSignature::user_outputs() const {
  std::vector<UserValue> values;
  for (const auto& parts : outputs_) {
    if (parts.argument != nullptr || parts.kind == OutputSpec::loss_output)
      values.push_back(user_value(parts));
  }
  return values;
}

NameMap ExportGraphSignature::inputs_to_parameters() const {
  return names_to_targets(inputs_, InputSpec::parameter);
}

NameMap ExportGraphSignature::inputs_to_buffers() const {
  return names_to_targets(inputs_, InputSpec::buffer);
}

NameMap ExportGraphSignature::buffers_to_mutate() const {
  return names_to_targets(outputs_, OutputSpec::buffer_mutation);
}

NameMap ExportGraphSignature::parameters_to_mutate() const {
  return names_to_targets(outputs_, OutputSpec::parameter_mutation);
}

NameMap ExportGraphSignature::user_inputs_to_mutate() const {
  return names_to_targets(outputs_, OutputSpec::user_input_mutation);
}

NameMap ExportGraphSignature::inputs_to_lifted_tensor_constants() const {
  return names_to_targets(inputs_, InputSpec::tensor_constant);
}

NameMap ExportGraphSignature::inputs_to_lifted_custom_objs() const {
  return names_to_targets(inputs_, InputSpec::custom_obj);
}

std::optional<ExportBackwardSignature> ExportGraphSignature::backward_signature() const {
  const Names losses = names(outputs_, OutputSpec::loss_output);
  if (losses.empty()) return std::nullopt;
  if (losses.size() > 1) {
    throw schemagen::DataError("expected one loss output, got " + std::to_string(losses.size()),
                               "graph_module.signature.output_specs");
  }
  return ExportBackwardSignature{names_to_targets(outputs_, OutputSpec::gradient_to_parameter),
                                 names_to_targets(outputs_, OutputSpec::gradient_to_user_input), losses[0]};
}

Names ExportGraphSignature::input_tokens() const {
  return names(inputs_, InputSpec::token);
}

Names ExportGraphSignature::output_tokens() const {
  return names(outputs_, OutputSpec::token);
}

std::string ExportGraphSignature::text() const {
  return "\n# inputs\n" + lines(inputs_) + "\n# outputs\n" + lines(outputs_);
}

void replace_all_uses(GraphSignature& signature, std::string_view old_name, std::string_view new_name) {
  const std::string old_copy(old_name);  // the argument may be a name in the signature
  const std::string new_copy(new_name);
  replace_in(signature.input_specs, old_copy, new_copy);
  replace_in(signature.output_specs, old_copy, new_copy);
}

std::function<void(const Replacement&)> replace_hook(GraphSignature& signature, bool replace_inputs) {
  return [&signature, replace_inputs](const Replacement& replacement) {
    if (replacement.user_is_output || (replace_inputs && replacement.old_is_input)) {
      replace_all_uses(signature, replacement.old_name, replacement.new_name);
    }
  };
}

}  // namespace pt2
