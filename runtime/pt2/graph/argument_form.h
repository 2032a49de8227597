// Classifies the members of Argument by their types.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "pt2/types.h"

namespace pt2 {

enum class ArgumentForm {
  none,
  value,  // a value of the graph; symbolic numbers and optional tensors may hold a literal instead
  values,
  literal,
  literals,
  dict,
};

namespace detail {

template <class T>
constexpr ArgumentForm form_as(const T*) {
  constexpr bool kIsValue = std::is_same_v<T, TensorArgument> || std::is_same_v<T, OptionalTensorArgument> ||
                            std::is_same_v<T, SymIntArgument> || std::is_same_v<T, SymFloatArgument> ||
                            std::is_same_v<T, SymBoolArgument> || std::is_same_v<T, CustomObjArgument>;
  constexpr bool kIsLiteral = std::is_arithmetic_v<T> || std::is_enum_v<T> ||
                              std::is_same_v<T, std::string> || std::is_same_v<T, Device> ||
                              std::is_same_v<T, ComplexValue> || std::is_same_v<T, GraphArgument>;
  static_assert(kIsValue || kIsLiteral, "a new type; add it to one of the two");
  return kIsValue ? ArgumentForm::value : ArgumentForm::literal;
}

template <class T>
constexpr ArgumentForm form_as(const schemagen::Map<T>*) {
  return ArgumentForm::dict;
}

template <class T>
constexpr ArgumentForm form_as(const std::vector<T>*) {
  const ArgumentForm item = form_as(static_cast<const T*>(nullptr));
  return item == ArgumentForm::value || item == ArgumentForm::values ? ArgumentForm::values
                                                                     : ArgumentForm::literals;
}

template <class... Members>
constexpr std::array<ArgumentForm, sizeof...(Members) + 1> forms_of(
    const schemagen::Union<Argument, Members...>*) {
  return {ArgumentForm::none, form_as(static_cast<const Members*>(nullptr))...};
}

inline constexpr auto kForms = forms_of(static_cast<const Argument*>(nullptr));
}  // namespace detail

inline ArgumentForm form_of(Argument::Kind kind) {
  return kind == Argument::as_none ? ArgumentForm::none : detail::kForms[kind];
}

}  // namespace pt2
