#include "pt2/nodes/argument_fit.h"

#include <algorithm>
#include <initializer_list>

#include "pt2/operators/operator_schema.h"
#include "pt2/schema_info.h"

namespace pt2 {
namespace {

bool is_one_of(Argument::Kind kind, std::initializer_list<Argument::Kind> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// For an empty list, torch 2.1 wrote as_bools, later releases as_ints.
bool is_list_of_nothing(const Argument& argument) {
  const auto* const ints = argument.get_if<Argument::as_ints>();
  const auto* const bools = argument.get_if<Argument::as_bools>();
  return (ints != nullptr && ints->empty()) || (bools != nullptr && bools->empty());
}

bool fits_list(const Argument& argument, const OperatorType& items) {
  using A = Argument;
  const A::Kind kind = argument.kind();
  if (is_list_of_nothing(argument)) return true;
  const OperatorType& item = without_optional(items);
  switch (item.kind) {
    case OperatorTypeKind::Tensor:
      return is_one_of(kind, {A::as_tensors, A::as_optional_tensors});
    case OperatorTypeKind::int_:
    case OperatorTypeKind::SymInt:
      return is_one_of(kind, {A::as_ints, A::as_sym_ints});
    case OperatorTypeKind::float_:
    case OperatorTypeKind::Scalar:
      return is_one_of(kind, {A::as_ints, A::as_floats, A::as_bools, A::as_sym_ints, A::as_sym_floats});
    case OperatorTypeKind::bool_:
      return is_one_of(kind, {A::as_bools, A::as_sym_bools});
    case OperatorTypeKind::str:
      return kind == A::as_strings;
    default:
      return true;
  }
}

}  // namespace

bool is_number(Argument::Kind kind) {
  using A = Argument;
  return is_one_of(kind, {A::as_int, A::as_float, A::as_bool, A::as_complex, A::as_sym_int, A::as_sym_float,
                          A::as_sym_bool});
}

Argument::Kind kind_of_literal(Argument::Kind value) {
  using A = Argument;
  return value == A::as_sym_int     ? A::as_int
         : value == A::as_sym_float ? A::as_float
         : value == A::as_sym_bool  ? A::as_bool
                                    : value;
}

std::string kind_text(const Argument& argument) {
  std::string text(argument.kind() == Argument::unset ? "nothing" : name_of(argument.kind()).substr(3));
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

bool fits(const Argument& argument, const OperatorType& type) {
  using A = Argument;
  const A::Kind kind = argument.kind();
  switch (type.kind) {
    case OperatorTypeKind::optional:
      return kind == A::as_none || fits(argument, type.items->front());
    case OperatorTypeKind::list:
      // One int stands for all items of an int[2].
      return fits_list(argument, type.items->front()) || (type.size && fits(argument, type.items->front()));
    case OperatorTypeKind::Tensor:  // numbers are converted
      return is_one_of(kind, {A::as_tensor, A::as_optional_tensor}) || is_number(kind);
    case OperatorTypeKind::Scalar:
      return is_number(kind) || kind == A::as_tensor;
    case OperatorTypeKind::int_:
    case OperatorTypeKind::SymInt:
      return is_one_of(kind, {A::as_int, A::as_sym_int, A::as_bool, A::as_scalar_type, A::as_tensor});
    case OperatorTypeKind::float_:
      return is_one_of(kind, {A::as_float, A::as_int, A::as_sym_float, A::as_sym_int, A::as_tensor});
    case OperatorTypeKind::bool_:
      return is_one_of(kind, {A::as_bool, A::as_sym_bool, A::as_int, A::as_tensor});
    case OperatorTypeKind::str:
      return kind == A::as_string;
    case OperatorTypeKind::ScalarType:
      return is_one_of(kind, {A::as_scalar_type, A::as_int});
    case OperatorTypeKind::Layout:
      return is_one_of(kind, {A::as_layout, A::as_int});
    case OperatorTypeKind::MemoryFormat:
      return is_one_of(kind, {A::as_memory_format, A::as_int});
    case OperatorTypeKind::Device:
      return is_one_of(kind, {A::as_device, A::as_string});
    default:
      return true;
  }
}

}  // namespace pt2
