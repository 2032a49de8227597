// Names that torch gives to values and nodes.
#pragma once

#include <string>
#include <string_view>

namespace pt2 {

/// Returns whether FX always appends a number to the name, because it is a Python keyword or builtin: `sum`.
bool is_reserved_name(std::string_view name) noexcept;

/// Returns torch's name for a node with this target: `add` for `torch.ops.aten.add.Tensor`.
std::string node_name_of(std::string_view target);

/// Returns torch's name for the input of a weight: `p_linear_weight` for `linear.weight` with the prefix
/// `p_`. Source: placeholder_naming_pass() in torch/_export/utils.py.
std::string input_name_of(std::string_view prefix, std::string_view fully_qualified_name);

}  // namespace pt2
