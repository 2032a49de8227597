#pragma once

#include "pt2/strings/argument_text.h"

namespace pt2 {

std::string coloured_type(const std::string& type, Colours colours);

bool refers_to_values(const Argument& argument);

/// Returns the values that an argument defines, e.g. `add: f32[3]` or `[a: f32[2], b: f32[2]]`. `type` and
/// `name` return the texts of a value's type and name.
std::string definition_text(const ValueText& type, const Argument& argument, Colours colours,
                            const ValueText& name = name_text);

/// Returns a node as text, without subgraphs, e.g. `getitem: f32[3] = higher_order.cond(p, true_graph_0,
/// false_graph_0, [x])`.
std::string node_text(const ValueText& type, const Node& node, Colours colours = Colours::none,
                      const ValueText& name = name_text);

}  // namespace pt2
