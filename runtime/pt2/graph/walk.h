// The ways through a graph: its subgraphs, its tables of values, and the expressions in them. All functions
// may be called from several threads at once.
#pragma once

#include <type_traits>

#include "pt2/graph/value_slots.h"
#include "pt2/types.h"

namespace pt2 {

/// Calls `visit(graph_argument)` for each subgraph of an argument, in order, those in dicts included. Here
/// and below, what is const is visited as const.
template <class Arg, class Visit>
void for_each_subgraph(Arg& argument, const Visit& visit) {
  if (auto* const graph = argument.template get_if<Argument::as_graph>()) visit(*graph);
  if (auto* const dict = argument.template get_if<Argument::as_string_to_argument>()) {
    for (auto& entry : *dict) for_each_subgraph(entry.value, visit);
  }
}

/// The same for all inputs of a node.
template <class Visit>
void for_each_subgraph(Node& node, const Visit& visit) {
  for (NamedArgument& input : node.inputs) for_each_subgraph(input.arg, visit);
}
template <class Visit>
void for_each_subgraph(const Node& node, const Visit& visit) {
  for (const NamedArgument& input : node.inputs) for_each_subgraph(input.arg, visit);
}

/// Calls `visit(graph)` for `graph`, then for the subgraphs of its nodes, at any depth. `AnyGraph` is Graph
/// or const Graph.
template <class AnyGraph, class Visit>
void for_each_graph(AnyGraph& graph, const Visit& visit) {
  visit(graph);
  for (auto& node : graph.nodes) {
    for_each_subgraph(node, [&](auto& subgraph) { for_each_graph(*subgraph.graph, visit); });
  }
}

/// Calls `visit(map_a, map_b, table)` for each of the five tables that graphs have. `GraphA` and `GraphB` are
/// Graph or const Graph.
template <class GraphA, class GraphB, class Visit>
void for_each_table(GraphA& a, GraphB& b, const Visit& visit) {
  visit(a.tensor_values, b.tensor_values, ValueName::Table::tensors);
  visit(a.sym_int_values, b.sym_int_values, ValueName::Table::sym_ints);
  visit(a.sym_bool_values, b.sym_bool_values, ValueName::Table::sym_bools);
  visit(a.sym_float_values, b.sym_float_values, ValueName::Table::sym_floats);
  visit(a.custom_obj_values, b.custom_obj_values, ValueName::Table::custom_objects);
}

/// The same for one graph: calls `visit(map, table)`.
template <class AnyGraph, class Visit>
void for_each_table(AnyGraph& graph, const Visit& visit) {
  for_each_table(graph, graph, [&](auto& map, auto&, ValueName::Table table) { visit(map, table); });
}

/// Calls `visit` with the text of each expression of an entry of a value table. `Entry` may be const.
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
