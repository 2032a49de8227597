#include "pt2/graph/signature.h"

#include "pt2/graph/walk.h"

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

template <class Spec, class User>
void set_user(SpecParts<Spec>& parts, User& user) {
  parts.argument = &user.arg;
  parts.name = only_name(user.arg);
}

template <auto Kind, class Spec>
void set_name(SpecParts<Spec>& parts, Spec& spec) {
  parts.name = &spec.template get<Kind>().arg.name;
}

template <auto Kind, class Spec, class Target>
void set_target(SpecParts<Spec>& parts, Spec& spec, Target target) {
  set_name<Kind>(parts, spec);
  parts.target = &(spec.template get<Kind>().*target);
}

template <class Spec>
void set_input_parts(SpecParts<Spec>& parts, Spec& spec) {
  switch (spec.kind()) {
    case InputSpec::unset:
      return;
    case InputSpec::user_input:
      return set_user(parts, spec.template get<InputSpec::user_input>());
    case InputSpec::parameter:
      return set_target<InputSpec::parameter>(parts, spec, &InputToParameterSpec::parameter_name);
    case InputSpec::buffer:
      parts.persistent = spec.template get<InputSpec::buffer>().persistent;
      return set_target<InputSpec::buffer>(parts, spec, &InputToBufferSpec::buffer_name);
    case InputSpec::tensor_constant:
      return set_target<InputSpec::tensor_constant>(parts, spec,
                                                    &InputToTensorConstantSpec::tensor_constant_name);
    case InputSpec::custom_obj:
      return set_target<InputSpec::custom_obj>(parts, spec, &InputToCustomObjSpec::custom_obj_name);
    case InputSpec::token:
      return set_name<InputSpec::token>(parts, spec);
    case InputSpec::constant_input:
      parts.name = &spec.template get<InputSpec::constant_input>().name;
      parts.constant = &spec.template get<InputSpec::constant_input>().value;
      return;
  }
}

template <class Spec>
void set_output_parts(SpecParts<Spec>& parts, Spec& spec) {
  using S = OutputSpec;
  const S::Kind kind = spec.kind();
  parts.target_is_input = kind == S::gradient_to_user_input || kind == S::user_input_mutation;
  switch (kind) {
    case S::unset:
      return;
    case S::user_output:
      return set_user(parts, spec.template get<S::user_output>());
    case S::loss_output:
      return set_name<S::loss_output>(parts, spec);
    case S::buffer_mutation:
      return set_target<S::buffer_mutation>(parts, spec, &BufferMutationSpec::buffer_name);
    case S::parameter_mutation:
      return set_target<S::parameter_mutation>(parts, spec, &ParameterMutationSpec::parameter_name);
    case S::gradient_to_parameter:
      return set_target<S::gradient_to_parameter>(parts, spec, &GradientToParameterSpec::parameter_name);
    case S::gradient_to_user_input:
      return set_target<S::gradient_to_user_input>(parts, spec, &GradientToUserInputSpec::user_input_name);
    case S::user_input_mutation:
      return set_target<S::user_input_mutation>(parts, spec, &UserInputMutationSpec::user_input_name);
    case S::token:
      return set_name<S::token>(parts, spec);
  }
}

}  // namespace

template <class Spec>
SpecParts<Spec> parts_of(Spec& spec) {
  SpecParts<Spec> parts;
  parts.kind = spec.kind();
  if constexpr (std::is_same_v<std::remove_const_t<Spec>, InputSpec>) {
    set_input_parts(parts, spec);
  } else {
    set_output_parts(parts, spec);
  }
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

}  // namespace pt2
