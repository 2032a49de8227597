#include "pt2/edit/graph.h"

#include <algorithm>

#include "pt2/schema_info.h"
#include "pt2/versions/graph/argument_form.h"
#include "pt2/versions/graph/index.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"

namespace pt2 {
namespace {

using A = Argument;

[[noreturn]] void fail(const std::string& name, const Argument& substitute, const char* list) {
  throw schemagen::UsageError("cannot put " + std::string(name_of(substitute.kind())) + " in the place of " +
                              schemagen::quoted(name) + ", which is an item of " + list);
}

/// Replaces the item `name` of a list, which `item` holds.
void set_item(TensorArgument& item, const Argument& substitute) {
  const TensorArgument* const tensor = substitute.get_if<A::as_tensor>();
  if (tensor == nullptr) fail(item.name, substitute, "a list of tensors");
  item = TensorArgument(*tensor);
}

void set_item(OptionalTensorArgument& item, const Argument& substitute) {
  if (substitute.is<A::as_none>()) {
    item.emplace<OptionalTensorArgument::as_none>(true);
  } else if (const auto* const optional = substitute.get_if<A::as_optional_tensor>()) {
    item = *optional;
  } else {
    set_item(item.get<OptionalTensorArgument::as_tensor>(), substitute);
  }
}

/// An item that is a symbolic value, or else the literal `Literal` of its union.
template <auto Symbolic, auto Literal, auto ItemLiteral, class Item>
void set_symbolic_item(Item& item, const Argument& substitute) {
  if (const auto* const value = substitute.get_if<Symbolic>()) {
    item = *value;
  } else if (const auto* const literal = substitute.get_if<Literal>()) {
    item.template emplace<ItemLiteral>(*literal);
  } else {
    fail(item.template get<Item::as_name>(), substitute, "a list of symbolic values");
  }
}
void set_item(SymIntArgument& item, const Argument& substitute) {
  set_symbolic_item<A::as_sym_int, A::as_int, SymIntArgument::as_int>(item, substitute);
}
void set_item(SymFloatArgument& item, const Argument& substitute) {
  set_symbolic_item<A::as_sym_float, A::as_float, SymFloatArgument::as_float>(item, substitute);
}
void set_item(SymBoolArgument& item, const Argument& substitute) {
  set_symbolic_item<A::as_sym_bool, A::as_bool, SymBoolArgument::as_bool>(item, substitute);
}

const std::string* name_in(const TensorArgument& item) {
  return &item.name;
}
const std::string* name_in(const OptionalTensorArgument& item) {
  const auto* const tensor = item.get_if<OptionalTensorArgument::as_tensor>();
  return tensor == nullptr ? nullptr : &tensor->name;
}
template <class Item>
const std::string* name_in(const Item& item) {
  return item.template get_if<Item::as_name>();
}

/// Whether there was something to replace.
template <class Item>
bool substitute_items(const Substitutes& substitutes, std::vector<Item>& items) {
  bool has_changed = false;
  for (Item& item : items) {
    const std::string* const name = name_in(item);
    const Argument* const found = name == nullptr ? nullptr : substitutes.find(*name);
    if (found == nullptr) continue;
    set_item(item, *found);
    has_changed = true;
  }
  return has_changed;
}

/// A list of which no item is symbolic any more becomes one of literals, as torch writes it.
template <auto List, auto Literals, auto ItemLiteral>
void substitute_symbolic(const Substitutes& substitutes, Argument& argument) {
  auto& items = argument.get<List>();
  if (!substitute_items(substitutes, items)) return;
  const auto is_literal = [](const auto& item) { return item.template is<ItemLiteral>(); };
  if (!std::all_of(items.begin(), items.end(), is_literal)) return;
  Argument::Member<Literals> literals;
  for (const auto& item : items) literals.push_back(item.template get<ItemLiteral>());
  argument.emplace<Literals>(std::move(literals));
}

void substitute_one(const Substitutes& substitutes, Argument& argument) {
  const std::string* const name = value_of(argument);
  const Argument* const found = name == nullptr ? nullptr : substitutes.find(*name);
  if (found == nullptr) return;
  auto* const optional = argument.get_if<A::as_optional_tensor>();
  if (optional != nullptr && found->is<A::as_tensor>()) return set_item(*optional, *found);
  argument = Argument(*found);
}

}  // namespace

const std::string* value_of(const Argument& argument) {
  const std::string* value = nullptr;
  if (form_of(argument.kind()) == ArgumentForm::value) {
    for_each_slot(argument, [&](const std::string* name, ValueName::Table) { value = name; });
  }
  return value;
}

Argument value_argument(ValueName::Table table, const std::string& name) {
  switch (table) {
    case ValueName::Table::tensors:
      return A::of<A::as_tensor>(TensorArgument{name});
    case ValueName::Table::sym_ints:
      return A::of<A::as_sym_int>(SymIntArgument::of<SymIntArgument::as_name>(name));
    case ValueName::Table::sym_floats:
      return A::of<A::as_sym_float>(SymFloatArgument::of<SymFloatArgument::as_name>(name));
    case ValueName::Table::sym_bools:
      return A::of<A::as_sym_bool>(SymBoolArgument::of<SymBoolArgument::as_name>(name));
    case ValueName::Table::custom_objects:
      break;
  }
  return A::of<A::as_custom_obj>(CustomObjArgument{name, {}});
}

Argument value_argument(const Graph& graph, const std::string& name) {
  using Table = ValueName::Table;
  const ValueMeta meta = find_value(graph, name);
  if (meta.tensor != nullptr) return value_argument(Table::tensors, name);
  if (meta.custom_object != nullptr) return A::of<A::as_custom_obj>(*meta.custom_object);
  if (meta.sym_int != nullptr) return value_argument(Table::sym_ints, name);
  if (meta.sym_float != nullptr) return value_argument(Table::sym_floats, name);
  if (meta.sym_bool != nullptr) return value_argument(Table::sym_bools, name);
  throw schemagen::DataError("the value " + schemagen::quoted(name) + " is in no table",
                             "graph_module.graph");
}

void substitute(const Substitutes& substitutes, Argument& argument) {
  switch (argument.kind()) {
    case A::as_tensors:
      substitute_items(substitutes, argument.get<A::as_tensors>());
      return;
    case A::as_optional_tensors:
      substitute_items(substitutes, argument.get<A::as_optional_tensors>());
      return;
    case A::as_nested_tensors:
      for (auto& items : argument.get<A::as_nested_tensors>()) substitute_items(substitutes, items);
      return;
    case A::as_sym_ints:
      return substitute_symbolic<A::as_sym_ints, A::as_ints, SymIntArgument::as_int>(substitutes, argument);
    case A::as_sym_floats:
      return substitute_symbolic<A::as_sym_floats, A::as_floats, SymFloatArgument::as_float>(substitutes,
                                                                                             argument);
    case A::as_sym_bools:
      return substitute_symbolic<A::as_sym_bools, A::as_bools, SymBoolArgument::as_bool>(substitutes,
                                                                                         argument);
    case A::as_string_to_argument:
      for (auto& entry : argument.get<A::as_string_to_argument>()) substitute(substitutes, entry.value);
      return;
    case A::as_tensor:
    case A::as_optional_tensor:
    case A::as_sym_int:
    case A::as_sym_float:
    case A::as_sym_bool:
    case A::as_custom_obj:
      return substitute_one(substitutes, argument);
    case A::unset:
    case A::as_none:
    case A::as_int:
    case A::as_ints:
    case A::as_float:
    case A::as_floats:
    case A::as_string:
    case A::as_strings:
    case A::as_scalar_type:
    case A::as_memory_format:
    case A::as_layout:
    case A::as_device:
    case A::as_bool:
    case A::as_bools:
    case A::as_graph:
    case A::as_operator:
    case A::as_complex:
    case A::as_int_lists:
    case A::as_float_lists:
      return;
  }
}

void substitute(const Substitutes& substitutes, std::vector<Argument>& arguments) {
  for (Argument& argument : arguments) substitute(substitutes, argument);
}

}  // namespace pt2
