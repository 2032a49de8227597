#include "pt2/nodes/argument_fit.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>

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

using Fits = Argument;

struct AcceptedKinds {
  OperatorTypeKind type;
  std::initializer_list<Fits::Kind> kinds;
  std::initializer_list<Fits::Kind> lists;  // of items of this type; empty: any
};

const AcceptedKinds kAccepted[] = {
    {OperatorTypeKind::Tensor,
     {Fits::as_tensor, Fits::as_optional_tensor},
     {Fits::as_tensors, Fits::as_optional_tensors}},
    {OperatorTypeKind::Scalar,
     {Fits::as_tensor},
     {Fits::as_ints, Fits::as_floats, Fits::as_bools, Fits::as_sym_ints, Fits::as_sym_floats}},
    {OperatorTypeKind::int_,
     {Fits::as_int, Fits::as_sym_int, Fits::as_bool, Fits::as_scalar_type, Fits::as_tensor},
     {Fits::as_ints, Fits::as_sym_ints}},
    {OperatorTypeKind::float_,
     {Fits::as_float, Fits::as_int, Fits::as_sym_float, Fits::as_sym_int, Fits::as_tensor},
     {Fits::as_ints, Fits::as_floats, Fits::as_bools, Fits::as_sym_ints, Fits::as_sym_floats}},
    {OperatorTypeKind::bool_,
     {Fits::as_bool, Fits::as_sym_bool, Fits::as_int, Fits::as_tensor},
     {Fits::as_bools, Fits::as_sym_bools}},
    {OperatorTypeKind::str, {Fits::as_string}, {Fits::as_strings}},
    {OperatorTypeKind::ScalarType, {Fits::as_scalar_type, Fits::as_int}, {}},
    {OperatorTypeKind::Layout, {Fits::as_layout, Fits::as_int}, {}},
    {OperatorTypeKind::MemoryFormat, {Fits::as_memory_format, Fits::as_int}, {}},
    {OperatorTypeKind::Device, {Fits::as_device, Fits::as_string}, {}},
};

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
  const Argument::Kind kind = argument.kind();
  if (type.kind == OperatorTypeKind::optional)
    return kind == Argument::as_none || fits(argument, type.items->front());
  const bool is_list = type.kind == OperatorTypeKind::list;
  OperatorTypeKind wanted = is_list ? without_optional(type.items->front()).kind : type.kind;
  if (wanted == OperatorTypeKind::SymInt) wanted = OperatorTypeKind::int_;
  const auto* const row = std::find_if(std::begin(kAccepted), std::end(kAccepted),
                                       [&](const AcceptedKinds& each) { return each.type == wanted; });
  const bool is_known = row != std::end(kAccepted);
  if (is_list) {
    // One int stands for all items of an int[2].
    return !is_known || row->lists.size() == 0 || is_list_of_nothing(argument) ||
           is_one_of(kind, row->lists) || (type.size && fits(argument, type.items->front()));
  }
  // Numbers are converted to tensors.
  const bool takes_numbers = wanted == OperatorTypeKind::Tensor || wanted == OperatorTypeKind::Scalar;
  return !is_known || is_one_of(kind, row->kinds) || (takes_numbers && is_number(kind));
}

}  // namespace pt2
