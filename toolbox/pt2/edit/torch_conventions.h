// The names that torch gives to values, and its description of the call of a whole model.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "pt2/graph/walk.h"
#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// Returns whether `name` is a Python keyword or builtin. FX appends a number to such names, e.g. `sum_1`.
bool is_reserved_name(std::string_view name) noexcept;

/// Returns the name of a node that calls the operator `target`, e.g. `add` for `torch.ops.aten.add.Tensor`.
std::string node_name_of(std::string_view target);

/// Returns the table of values of this type. Types that no other table is for belong to tensors.
ValueName::Table table_of(const OperatorType& type);

/// Returns the name of the input for a parameter, buffer or constant, e.g. `p_linear_weight` for `p_` and
/// `linear.weight`. Source: placeholder_naming_pass() in torch/_export/utils.py.
std::string input_name_of(std::string_view prefix, std::string_view fully_qualified_name);

/// Returns the entry in module_call_graph for the model itself. If there are several outputs, they form a
/// tuple.
ModuleCallEntry root_call(std::size_t inputs, std::size_t outputs);

ModuleCallSignature* root_signature(ExportedProgram& program);

}  // namespace pt2
