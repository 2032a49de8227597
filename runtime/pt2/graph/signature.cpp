#include "pt2/graph/signature.h"

#include "pt2/graph/walk.h"

namespace pt2 {
namespace {

/// Of a list of values there is no one name.
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

template <class Spec, class Named>
void set(SpecParts<Spec>& parts, Named& named) {
  parts.name = &named.arg.name;
}

template <class Spec, class Named, class Target>
void set(SpecParts<Spec>& parts, Named& named, Target& target) {
  parts.name = &named.arg.name;
  parts.target = &target;
}

template <class Spec>
void set_input_parts(SpecParts<Spec>& parts, Spec& spec) {
  switch (spec.kind()) {
    case InputSpec::unset:
      return;
    case InputSpec::user_input:
      return set_user(parts, spec.template get<InputSpec::user_input>());
    case InputSpec::parameter: {
      auto& parameter = spec.template get<InputSpec::parameter>();
      return set(parts, parameter, parameter.parameter_name);
    }
    case InputSpec::buffer: {
      auto& buffer = spec.template get<InputSpec::buffer>();
      parts.persistent = buffer.persistent;
      return set(parts, buffer, buffer.buffer_name);
    }
    case InputSpec::tensor_constant: {
      auto& constant = spec.template get<InputSpec::tensor_constant>();
      return set(parts, constant, constant.tensor_constant_name);
    }
    case InputSpec::custom_obj: {
      auto& object = spec.template get<InputSpec::custom_obj>();
      return set(parts, object, object.custom_obj_name);
    }
    case InputSpec::token:
      return set(parts, spec.template get<InputSpec::token>());
    case InputSpec::constant_input: {
      auto& constant = spec.template get<InputSpec::constant_input>();
      parts.name = &constant.name;
      parts.constant = &constant.value;
      return;
    }
  }
}

template <class Spec>
void set_output_parts(SpecParts<Spec>& parts, Spec& spec) {
  switch (spec.kind()) {
    case OutputSpec::unset:
      return;
    case OutputSpec::user_output:
      return set_user(parts, spec.template get<OutputSpec::user_output>());
    case OutputSpec::loss_output:
      return set(parts, spec.template get<OutputSpec::loss_output>());
    case OutputSpec::buffer_mutation: {
      auto& mutation = spec.template get<OutputSpec::buffer_mutation>();
      return set(parts, mutation, mutation.buffer_name);
    }
    case OutputSpec::parameter_mutation: {
      auto& mutation = spec.template get<OutputSpec::parameter_mutation>();
      return set(parts, mutation, mutation.parameter_name);
    }
    case OutputSpec::gradient_to_parameter: {
      auto& gradient = spec.template get<OutputSpec::gradient_to_parameter>();
      return set(parts, gradient, gradient.parameter_name);
    }
    case OutputSpec::gradient_to_user_input: {
      auto& gradient = spec.template get<OutputSpec::gradient_to_user_input>();
      parts.target_is_input = true;
      return set(parts, gradient, gradient.user_input_name);
    }
    case OutputSpec::user_input_mutation: {
      auto& mutation = spec.template get<OutputSpec::user_input_mutation>();
      parts.target_is_input = true;
      return set(parts, mutation, mutation.user_input_name);
    }
    case OutputSpec::token:
      return set(parts, spec.template get<OutputSpec::token>());
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
