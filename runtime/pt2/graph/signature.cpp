#include "pt2/graph/signature.h"

#include "pt2/graph/walk.h"
#include "pt2/text/literal.h"
#include "pt2/visit.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/visit.h"

namespace pt2 {
namespace {

template <class Arg>
auto only_name(Arg& argument) {
  std::conditional_t<std::is_const_v<Arg>, const std::string, std::string>* only = nullptr;
  std::size_t places = 0;
  for_each_slot(argument, [&](auto* name, ValueName::Table) {
    only = name;
    ++places;
  });
  return places == 1 ? only : nullptr;
}

template <class Spec, class Part>
void set_part(SpecParts<Spec>& parts, Part& part) {
  using T = std::remove_const_t<Part>;
  if constexpr (std::is_same_v<T, Argument>) {
    parts.argument = &part;
    parts.name = only_name(part);
  } else if constexpr (std::is_same_v<T, ConstantValue>) {
    parts.constant = &part;
  } else if constexpr (std::is_same_v<T, std::string>) {
    parts.target = &part;
  } else if constexpr (std::is_same_v<T, bool>) {
    parts.persistent = part;
  } else {
    parts.name = &part.name;
  }
}

template <class Parts>
UserValue user_value(const Parts& parts) {
  if (parts.constant != nullptr) return {"", *parts.constant};
  if (parts.name != nullptr) return {*parts.name, {}};
  return {"", constant_of(*parts.argument)};
}

constexpr std::pair<InputSpec::Kind, SpecKind> kInputKinds[] = {
    {InputSpec::token, {"TOKEN", 0}},
    {InputSpec::parameter, {"PARAMETER", 1}},
    {InputSpec::buffer, {"BUFFER", 2}},
    {InputSpec::tensor_constant, {"CONSTANT_TENSOR", 3}},
    {InputSpec::custom_obj, {"CUSTOM_OBJ", 4}},
    {InputSpec::user_input, {"USER_INPUT", 5}},
    {InputSpec::constant_input, {"USER_INPUT", 6}},
};

constexpr std::pair<OutputSpec::Kind, SpecKind> kOutputKinds[] = {
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
  for (const auto& [known, info] : rows) {
    if (known == kind) return info;
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

template <class Spec>
SpecParts<Spec> parts_of(Spec& spec) {
  SpecParts<Spec> parts;
  parts.kind = spec.kind();
  if constexpr (std::is_same_v<std::remove_const_t<Spec>, OutputSpec>) {
    parts.target_is_input =
        parts.kind == OutputSpec::gradient_to_user_input || parts.kind == OutputSpec::user_input_mutation;
  }
  schemagen::visit(spec, [&](auto, auto& member) {
    schemagen::visit(member, [&](auto, auto& part) { set_part(parts, part); });
  });
  if (parts.constant != nullptr) std::swap(parts.name, parts.target);  // its only string is the name
  return parts;
}

template SpecParts<InputSpec> parts_of(InputSpec& spec);
template SpecParts<const InputSpec> parts_of(const InputSpec& spec);
template SpecParts<OutputSpec> parts_of(OutputSpec& spec);
template SpecParts<const OutputSpec> parts_of(const OutputSpec& spec);

bool is_users(InputSpec::Kind kind) noexcept {
  return kind == InputSpec::user_input || kind == InputSpec::constant_input;
}

bool is_users(OutputSpec::Kind kind) noexcept {
  return kind == OutputSpec::user_output || kind == OutputSpec::loss_output;
}

bool is_mutation(OutputSpec::Kind kind) noexcept {
  return kind == OutputSpec::buffer_mutation || kind == OutputSpec::parameter_mutation ||
         kind == OutputSpec::user_input_mutation;
}

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

ExportGraphSignature::Names ExportGraphSignature::targets(InputSpec::Kind kind) const {
  Names names;
  for (const auto& parts : inputs_) {
    if (parts.kind == kind) names.push_back(*parts.target);
  }
  return names;
}

ExportGraphSignature::Names ExportGraphSignature::non_persistent_buffers() const {
  Names names;
  for (const auto& parts : inputs_) {
    if (parts.persistent == false) names.push_back(*parts.target);
  }
  return names;
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
