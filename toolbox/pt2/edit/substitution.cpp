#include "pt2/edit/graph.h"

#include <algorithm>

#include "pt2/graph/argument_form.h"
#include "pt2/graph/index.h"
#include "pt2/schema_info.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

[[noreturn]] void cannot_put(const std::string& name, const Argument& substitute, const char* list) {
  throw schemagen::UsageError("cannot replace " + schemagen::quoted(name) + ", an item of " + list +
                              ", with " + std::string(name_of(substitute.kind())));
}

void set_item(TensorArgument& item, const Argument& substitute) {
  const TensorArgument* const tensor = substitute.get_if<Argument::as_tensor>();
  if (tensor == nullptr) cannot_put(item.name, substitute, "a list of tensors");
  item = TensorArgument(*tensor);
}

void set_item(OptionalTensorArgument& item, const Argument& substitute) {
  if (substitute.is<Argument::as_none>()) {
    item.emplace<OptionalTensorArgument::as_none>(true);
  } else if (const auto* const optional = substitute.get_if<Argument::as_optional_tensor>()) {
    item = *optional;
  } else {
    set_item(item.get<OptionalTensorArgument::as_tensor>(), substitute);
  }
}

template <auto Symbolic, auto Literal, auto ItemLiteral, class Item>
void set_symbolic_item(Item& item, const Argument& substitute) {
  if (const auto* const value = substitute.get_if<Symbolic>()) {
    item = *value;
  } else if (const auto* const literal = substitute.get_if<Literal>()) {
    item.template emplace<ItemLiteral>(*literal);
  } else {
    cannot_put(item.template get<Item::as_name>(), substitute, "a list of symbolic values");
  }
}
void set_item(SymIntArgument& item, const Argument& substitute) {
  set_symbolic_item<Argument::as_sym_int, Argument::as_int, SymIntArgument::as_int>(item, substitute);
}
void set_item(SymFloatArgument& item, const Argument& substitute) {
  set_symbolic_item<Argument::as_sym_float, Argument::as_float, SymFloatArgument::as_float>(item, substitute);
}
void set_item(SymBoolArgument& item, const Argument& substitute) {
  set_symbolic_item<Argument::as_sym_bool, Argument::as_bool, SymBoolArgument::as_bool>(item, substitute);
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

/// torch writes lists without symbolic items as literals.
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
  auto* const optional = argument.get_if<Argument::as_optional_tensor>();
  if (optional != nullptr && found->is<Argument::as_tensor>()) return set_item(*optional, *found);
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
      return Argument::of<Argument::as_tensor>(TensorArgument{name});
    case ValueName::Table::sym_ints:
      return Argument::of<Argument::as_sym_int>(SymIntArgument::of<SymIntArgument::as_name>(name));
    case ValueName::Table::sym_floats:
      return Argument::of<Argument::as_sym_float>(SymFloatArgument::of<SymFloatArgument::as_name>(name));
    case ValueName::Table::sym_bools:
      return Argument::of<Argument::as_sym_bool>(SymBoolArgument::of<SymBoolArgument::as_name>(name));
    case ValueName::Table::custom_objects:
      break;
  }
  return Argument::of<Argument::as_custom_obj>(CustomObjArgument{name, {}});
}

Argument value_argument(const Graph& graph, const std::string& name) {
  const ValueMeta meta = find_value(graph, name);
  if (meta.tensor != nullptr) return value_argument(ValueName::Table::tensors, name);
  if (meta.custom_object != nullptr) return Argument::of<Argument::as_custom_obj>(*meta.custom_object);
  if (meta.sym_int != nullptr) return value_argument(ValueName::Table::sym_ints, name);
  if (meta.sym_float != nullptr) return value_argument(ValueName::Table::sym_floats, name);
  if (meta.sym_bool != nullptr) return value_argument(ValueName::Table::sym_bools, name);
  throw schemagen::DataError("the value " + schemagen::quoted(name) + " is not in any value table",
                             "graph_module.graph");
}

void substitute(const Substitutes& substitutes, Argument& argument) {
  switch (argument.kind()) {
    case Argument::as_tensors:
      substitute_items(substitutes, argument.get<Argument::as_tensors>());
      return;
    case Argument::as_optional_tensors:
      substitute_items(substitutes, argument.get<Argument::as_optional_tensors>());
      return;
    case Argument::as_nested_tensors:
      for (auto& items : argument.get<Argument::as_nested_tensors>()) substitute_items(substitutes, items);
      return;
    case Argument::as_sym_ints:
      return substitute_symbolic<Argument::as_sym_ints, Argument::as_ints, SymIntArgument::as_int>(
          substitutes, argument);
    case Argument::as_sym_floats:
      return substitute_symbolic<Argument::as_sym_floats, Argument::as_floats, SymFloatArgument::as_float>(
          substitutes, argument);
    case Argument::as_sym_bools:
      return substitute_symbolic<Argument::as_sym_bools, Argument::as_bools, SymBoolArgument::as_bool>(
          substitutes, argument);
    case Argument::as_string_to_argument:
      for (auto& entry : argument.get<Argument::as_string_to_argument>())
        substitute(substitutes, entry.value);
      return;
    case Argument::as_tensor:
    case Argument::as_optional_tensor:
    case Argument::as_sym_int:
    case Argument::as_sym_float:
    case Argument::as_sym_bool:
    case Argument::as_custom_obj:
      return substitute_one(substitutes, argument);
    case Argument::unset:
    case Argument::as_none:
    case Argument::as_int:
    case Argument::as_ints:
    case Argument::as_float:
    case Argument::as_floats:
    case Argument::as_string:
    case Argument::as_strings:
    case Argument::as_scalar_type:
    case Argument::as_memory_format:
    case Argument::as_layout:
    case Argument::as_device:
    case Argument::as_bool:
    case Argument::as_bools:
    case Argument::as_graph:
    case Argument::as_operator:
    case Argument::as_complex:
    case Argument::as_int_lists:
    case Argument::as_float_lists:
      return;
  }
}

void substitute(const Substitutes& substitutes, std::vector<Argument>& arguments) {
  for (Argument& argument : arguments) substitute(substitutes, argument);
}

}  // namespace pt2
