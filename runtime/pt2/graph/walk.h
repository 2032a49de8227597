// Traverses the parts of a graph: the values in its arguments, its subgraphs, its value tables, and the
// expressions in those tables.
#pragma once

#include <string_view>

#include "pt2/graph/argument_form.h"

namespace pt2 {

/// The name of a value in an argument, and which of the graph's tables describes that value.
struct ValueName {
  enum class Table { tensors, sym_ints, sym_floats, sym_bools, custom_objects };
  Table table = Table::tensors;
  std::string_view name;
};

namespace detail {
using VisitSlot = void (*)(const void* visit, const std::string* name, ValueName::Table table);
void visit_slots(const Argument& argument, const void* visit, VisitSlot call);
}  // namespace detail

/// Calls `visit(name, table)` for each slot of an argument, in order. `name` points to the value's name in
/// the argument, or is null if the slot is empty or contains a literal. A single value or literal is one
/// slot. A list has one slot per item, including the items of nested lists, but a list of literals is a
/// single slot. The values of a dict are visited as well, but subgraphs are not. `Arg` is Argument or const
/// Argument.
template <class Arg, class Visit>
void for_each_slot(Arg& argument, const Visit& visit) {
  using Name = std::conditional_t<std::is_const_v<Arg>, const std::string, std::string>;
  const auto call = [](const void* visitor, const std::string* name, ValueName::Table table) {
    (*static_cast<const Visit*>(visitor))(const_cast<Name*>(name), table);
  };
  detail::visit_slots(argument, &visit, call);
}

/// Calls `visit(name)`, or `visit(name, table)` if `visit` takes two arguments, for each value that `part`
/// names, in order. `part` is an Argument, a NamedArgument or a list of either. Names are const if `part` is.
template <class Part, class Visit>
void for_each_name(Part& part, const Visit& visit) {
  using T = std::remove_const_t<Part>;
  if constexpr (std::is_same_v<T, Argument>) {
    for_each_slot(part, [&](auto* name, ValueName::Table table) {
      if (name == nullptr) return;
      if constexpr (std::is_invocable_v<const Visit&, decltype(*name), ValueName::Table>) {
        visit(*name, table);
      } else {
        static_cast<void>(table);
        visit(*name);
      }
    });
  } else if constexpr (std::is_same_v<T, NamedArgument>) {
    for_each_name(part.arg, visit);
  } else {
    for (auto& item : part) for_each_name(item, visit);
  }
}

/// Returns the names of the values in `part`, in order. `part` can have any type that for_each_name()
/// accepts.
template <class Part>
std::vector<std::string> names_in(const Part& part) {
  std::vector<std::string> names;
  for_each_name(part, [&](const std::string& name) { names.push_back(name); });
  return names;
}

/// Returns whether `is_it(name)` is true for a value in `part`, which for_each_name() accepts.
template <class Part, class IsIt>
bool names_any(const Part& part, const IsIt& is_it) {
  bool found = false;
  for_each_name(part, [&](const std::string& name) { found = found || is_it(name); });
  return found;
}

/// Returns the name of the first value in `arguments`, or null.
inline const std::string* first_name(const std::vector<Argument>& arguments) {
  const std::string* first = nullptr;
  for_each_name(arguments, [&](const std::string& name) { first = first == nullptr ? &name : first; });
  return first;
}

/// Calls `visit(graph_argument)` for each subgraph in an argument, including subgraphs in dicts, or in the
/// inputs of a node, in order. `Part` is Argument or Node, either of which can be const.
template <class Part, class Visit>
void for_each_subgraph(Part& part, const Visit& visit) {
  if constexpr (std::is_same_v<std::remove_const_t<Part>, Node>) {
    for (auto& input : part.inputs) for_each_subgraph(input.arg, visit);
  } else {
    if (auto* const graph = part.template get_if<Argument::as_graph>()) visit(*graph);
    if (auto* const dict = part.template get_if<Argument::as_string_to_argument>()) {
      for (auto& entry : *dict) for_each_subgraph(entry.value, visit);
    }
  }
}

/// Calls `visit(graph)` for `graph`, then for its subgraphs, recursively. `AnyGraph` is Graph or const Graph.
template <class AnyGraph, class Visit>
void for_each_graph(AnyGraph& graph, const Visit& visit) {
  visit(graph);
  for (auto& node : graph.nodes) {
    for_each_subgraph(node, [&](auto& subgraph) { for_each_graph(*subgraph.graph, visit); });
  }
}

/// Calls `visit(map_a, map_b, table)` for each of the five value tables, with the maps of both graphs.
/// `GraphA` and `GraphB` are Graph or const Graph.
template <class GraphA, class GraphB, class Visit>
void for_each_table(GraphA& a, GraphB& b, const Visit& visit) {
  visit(a.tensor_values, b.tensor_values, ValueName::Table::tensors);
  visit(a.sym_int_values, b.sym_int_values, ValueName::Table::sym_ints);
  visit(a.sym_bool_values, b.sym_bool_values, ValueName::Table::sym_bools);
  visit(a.sym_float_values, b.sym_float_values, ValueName::Table::sym_floats);
  visit(a.custom_obj_values, b.custom_obj_values, ValueName::Table::custom_objects);
}

/// Calls `visit(map, table)` for each of the five value tables of one graph.
template <class AnyGraph, class Visit>
void for_each_table(AnyGraph& graph, const Visit& visit) {
  for_each_table(graph, graph, [&](auto& map, auto&, ValueName::Table table) { visit(map, table); });
}

/// Calls `visit` with the text of each expression in an entry of a value table. `Entry` can be const.
template <class Entry, class Visit>
void for_each_expression(Entry& entry, const Visit& visit) {
  using T = std::remove_const_t<Entry>;
  if constexpr (std::is_same_v<T, TensorMeta>) {
    for (auto& size : entry.sizes) for_each_expression(size, visit);
    for (auto& stride : entry.strides) for_each_expression(stride, visit);
    for_each_expression(entry.storage_offset, visit);
  } else if constexpr (!std::is_same_v<T, CustomObjArgument>) {
    if (auto* const expression = entry.template get_if<T::as_expr>()) visit(expression->expr_str);
  }
}

}  // namespace pt2
