// Nodes as lines for people.
#pragma once

#include <string>

#include "pt2/strings/argument_text.h"
#include "pt2/types.h"

namespace pt2 {

/// A type as it is shown, or nothing of none.
std::string coloured_type(const std::string& type, Colours colours);

/// Whether an argument names values: all but constants do.
bool refers_to_values(const Argument& argument);

/// Values where they are defined, with their types: `add: f32[3]`, `[a: f32[2], b: f32[2]]`.
/// `name` says how values are called.
std::string definition_text(const Graph& graph, const Argument& argument, Colours colours,
                            const ValueText& name = name_text);

/// A node's line: `getitem: f32[3] = higher_order.cond(p, true_graph_0, false_graph_0, [x])`, without its
/// subgraphs. `name` says how values are called.
std::string node_text(const Graph& graph, const Node& node, Colours colours = Colours::none,
                      const ValueText& name = name_text);

}  // namespace pt2
