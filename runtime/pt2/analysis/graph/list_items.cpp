#include "pt2/analysis/graph/list_items.h"

#include <cstddef>

namespace pt2 {
namespace {

using A = Argument;

template <auto Item, class T>
std::vector<A> items(const std::vector<T>& list) {
  std::vector<A> items;
  items.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) items.push_back(A::of<Item>(T(list[i])));
  return items;
}

/// `Literal` is the member of the items, `Item` that of an argument.
template <auto Symbolic, auto Literal, auto Item, class T>
std::vector<A> symbolic_items(const std::vector<T>& list) {
  std::vector<A> items;
  items.reserve(list.size());
  for (const T& item : list) {
    const auto* const literal = item.template get_if<Literal>();
    items.push_back(literal != nullptr ? A::of<Item>(*literal) : A::of<Symbolic>(item));
  }
  return items;
}

std::vector<A> optional_items(const std::vector<OptionalTensorArgument>& list) {
  std::vector<A> items;
  items.reserve(list.size());
  for (const OptionalTensorArgument& item : list) {
    const auto* const tensor = item.get_if<OptionalTensorArgument::as_tensor>();
    items.push_back(tensor != nullptr ? A::of<A::as_tensor>(*tensor) : A::of<A::as_none>(true));
  }
  return items;
}

}  // namespace

std::optional<std::vector<Argument>> items_of(const Argument& argument) {
  switch (argument.kind()) {
    case A::as_tensors:
      return items<A::as_tensor>(argument.get<A::as_tensors>());
    case A::as_optional_tensors:
      return optional_items(argument.get<A::as_optional_tensors>());
    case A::as_nested_tensors:
      return items<A::as_tensors>(argument.get<A::as_nested_tensors>());
    case A::as_ints:
      return items<A::as_int>(argument.get<A::as_ints>());
    case A::as_floats:
      return items<A::as_float>(argument.get<A::as_floats>());
    case A::as_bools:
      return items<A::as_bool>(argument.get<A::as_bools>());
    case A::as_strings:
      return items<A::as_string>(argument.get<A::as_strings>());
    case A::as_int_lists:
      return items<A::as_ints>(argument.get<A::as_int_lists>());
    case A::as_float_lists:
      return items<A::as_floats>(argument.get<A::as_float_lists>());
    case A::as_sym_ints:
      return symbolic_items<A::as_sym_int, SymIntArgument::as_int, A::as_int>(argument.get<A::as_sym_ints>());
    case A::as_sym_floats:
      return symbolic_items<A::as_sym_float, SymFloatArgument::as_float, A::as_float>(
          argument.get<A::as_sym_floats>());
    case A::as_sym_bools:
      return symbolic_items<A::as_sym_bool, SymBoolArgument::as_bool, A::as_bool>(
          argument.get<A::as_sym_bools>());
    case A::unset:
    case A::as_none:
    case A::as_tensor:
    case A::as_int:
    case A::as_float:
    case A::as_string:
    case A::as_sym_int:
    case A::as_scalar_type:
    case A::as_memory_format:
    case A::as_layout:
    case A::as_device:
    case A::as_bool:
    case A::as_sym_bool:
    case A::as_graph:
    case A::as_custom_obj:
    case A::as_operator:
    case A::as_sym_float:
    case A::as_optional_tensor:
    case A::as_complex:
    case A::as_string_to_argument:
      break;
  }
  return std::nullopt;
}

}  // namespace pt2
