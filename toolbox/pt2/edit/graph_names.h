// What torch calls the values and nodes of a graph.
#pragma once

#include <string>
#include <string_view>

namespace pt2 {

/// Whether FX gives this name to no value without a number, as Python has a keyword or builtin of it: `sum`.
bool is_reserved_name(std::string_view name) noexcept;

/// What torch calls a node that calls `target`: `add` for `torch.ops.aten.add.Tensor`.
std::string node_name_of(std::string_view target);

/// What torch calls the input that stands for a parameter, buffer or the like: `p_linear_weight` for
/// `linear.weight` and the prefix `p_`. Source: placeholder_naming_pass of torch/_export/utils.py.
std::string input_name_of(std::string_view prefix, std::string_view fully_qualified_name);

}  // namespace pt2
