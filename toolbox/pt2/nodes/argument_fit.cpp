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

using A = Argument;

struct AcceptedKinds {
  OperatorTypeKind type;
  std::initializer_list<A::Kind> kinds;
  std::initializer_list<A::Kind> lists;  // of items of this type; empty: any
};

const AcceptedKinds kAccepted[] = {
    {OperatorTypeKind::Tensor,
     {A::as_tensor, A::as_optional_tensor},
     {A::as_tensors, A::as_optional_tensors}},
    {OperatorTypeKind::Scalar,
     {A::as_tensor},
     {A::as_ints, A::as_floats, A::as_bools, A::as_sym_ints, A::as_sym_floats}},
    {OperatorTypeKind::int_,
     {A::as_int, A::as_sym_int, A::as_bool, A::as_scalar_type, A::as_tensor},
     {A::as_ints, A::as_sym_ints}},
    {OperatorTypeKind::float_,
     {A::as_float, A::as_int, A::as_sym_float, A::as_sym_int, A::as_tensor},
     {A::as_ints, A::as_floats, A::as_bools, A::as_sym_ints, A::as_sym_floats}},
    {OperatorTypeKind::bool_,
     {A::as_bool, A::as_sym_bool, A::as_int, A::as_tensor},
     {A::as_bools, A::as_sym_bools}},
    {OperatorTypeKind::str, {A::as_string}, {A::as_strings}},
    {OperatorTypeKind::ScalarType, {A::as_scalar_type, A::as_int}, {}},
    {OperatorTypeKind::Layout, {A::as_layout, A::as_int}, {}},
    {OperatorTypeKind::MemoryFormat, {A::as_memory_format, A::as_int}, {}},
    {OperatorTypeKind::Device, {A::as_device, A::as_string}, {}},
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
