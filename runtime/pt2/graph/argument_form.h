// Classifies the members of Argument. New members must be added here.
#pragma once

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

inline ArgumentForm form_of(Argument::Kind kind) {
  switch (kind) {
    case Argument::unset:
    case Argument::as_none:
      break;
    case Argument::as_tensor:
    case Argument::as_optional_tensor:
    case Argument::as_sym_int:
    case Argument::as_sym_float:
    case Argument::as_sym_bool:
    case Argument::as_custom_obj:
      return ArgumentForm::value;
    case Argument::as_tensors:
    case Argument::as_optional_tensors:
    case Argument::as_nested_tensors:
    case Argument::as_sym_ints:
    case Argument::as_sym_floats:
    case Argument::as_sym_bools:
      return ArgumentForm::values;
    case Argument::as_int:
    case Argument::as_float:
    case Argument::as_bool:
    case Argument::as_complex:
    case Argument::as_string:
    case Argument::as_scalar_type:
    case Argument::as_memory_format:
    case Argument::as_layout:
    case Argument::as_device:
    case Argument::as_operator:
    case Argument::as_graph:
      return ArgumentForm::literal;
    case Argument::as_ints:
    case Argument::as_floats:
    case Argument::as_bools:
    case Argument::as_strings:
    case Argument::as_int_lists:
    case Argument::as_float_lists:
      return ArgumentForm::literals;
    case Argument::as_string_to_argument:
      return ArgumentForm::dict;
  }
  return ArgumentForm::none;
}

}  // namespace pt2
