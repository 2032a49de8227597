#pragma once

#include <string>
#include <string_view>

namespace pt2 {

/// Returns whether `name` is a Python keyword or builtin. FX appends a number to such names, e.g. `sum_1`.
bool is_reserved_name(std::string_view name) noexcept;

/// Returns the name of a node that calls the operator `target`, e.g. `add` for `torch.ops.aten.add.Tensor`.
std::string node_name_of(std::string_view target);

/// Returns the name of the input for a parameter, buffer or constant, e.g. `p_linear_weight` for `p_` and
/// `linear.weight`. Source: placeholder_naming_pass() in torch/_export/utils.py.
std::string input_name_of(std::string_view prefix, std::string_view fully_qualified_name);

}  // namespace pt2
