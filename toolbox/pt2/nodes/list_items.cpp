#include "pt2/nodes/list_items.h"

#include <cstddef>

namespace pt2 {
namespace {

template <auto Item, class T>
std::vector<Argument> items(const std::vector<T>& list) {
  std::vector<Argument> items;
  items.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) items.push_back(Argument::of<Item>(T(list[i])));
  return items;
}

template <auto Symbolic, auto Literal, auto Item, class T>
std::vector<Argument> symbolic_items(const std::vector<T>& list) {
  std::vector<Argument> items;
  items.reserve(list.size());
  for (const T& item : list) {
    const auto* const literal = item.template get_if<Literal>();
    items.push_back(literal != nullptr ? Argument::of<Item>(*literal) : Argument::of<Symbolic>(item));
  }
  return items;
}

std::vector<Argument> optional_items(const std::vector<OptionalTensorArgument>& list) {
  std::vector<Argument> items;
  items.reserve(list.size());
  for (const OptionalTensorArgument& item : list) {
    const auto* const tensor = item.get_if<OptionalTensorArgument::as_tensor>();
    items.push_back(tensor != nullptr ? Argument::of<Argument::as_tensor>(*tensor)
                                      : Argument::of<Argument::as_none>(true));
  }
  return items;
}

}  // namespace

std::optional<std::vector<Argument>> items_of(const Argument& argument) {
  switch (argument.kind()) {
    case Argument::as_tensors:
      return items<Argument::as_tensor>(argument.get<Argument::as_tensors>());
    case Argument::as_optional_tensors:
      return optional_items(argument.get<Argument::as_optional_tensors>());
    case Argument::as_nested_tensors:
      return items<Argument::as_tensors>(argument.get<Argument::as_nested_tensors>());
    case Argument::as_ints:
      return items<Argument::as_int>(argument.get<Argument::as_ints>());
    case Argument::as_floats:
      return items<Argument::as_float>(argument.get<Argument::as_floats>());
    case Argument::as_bools:
      return items<Argument::as_bool>(argument.get<Argument::as_bools>());
    case Argument::as_strings:
      return items<Argument::as_string>(argument.get<Argument::as_strings>());
    case Argument::as_int_lists:
      return items<Argument::as_ints>(argument.get<Argument::as_int_lists>());
    case Argument::as_float_lists:
      return items<Argument::as_floats>(argument.get<Argument::as_float_lists>());
    case Argument::as_sym_ints:
      return symbolic_items<Argument::as_sym_int, SymIntArgument::as_int, Argument::as_int>(
          argument.get<Argument::as_sym_ints>());
    case Argument::as_sym_floats:
      return symbolic_items<Argument::as_sym_float, SymFloatArgument::as_float, Argument::as_float>(
          argument.get<Argument::as_sym_floats>());
    case Argument::as_sym_bools:
      return symbolic_items<Argument::as_sym_bool, SymBoolArgument::as_bool, Argument::as_bool>(
          argument.get<Argument::as_sym_bools>());
    default:
      return std::nullopt;
  }
}

}  // namespace pt2
