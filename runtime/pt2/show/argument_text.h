// Operands, results and operators of nodes as text. All functions may be called from several threads at once.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "pt2/graph/value_slots.h"
#include "pt2/types.h"

namespace pt2 {

/// How argument_text() shows the values that an argument names.
using ValueText = std::function<std::string(const ValueName&)>;

/// The name itself, printable.
std::string name_text(const ValueName& value);

/// What `graph` knows of a value: `f32[3]`, `int(2*s0)`, the class of a custom object. Empty for names that
/// are in none of its tables, as tokens are.
std::string type_text(const Graph& graph, const ValueName& value);

/// An argument: literals as Python writes them, subgraphs by their names, values as `value` says:
/// `x`, `1e-05`, `"text"`, `[x, None]`, `f16`, `channels_last`, `{"k": [s, 2]}`, `true_graph_0`.
/// A union without a member is `<unset>`.
std::string argument_text(const Argument& argument, const ValueText& value = name_text);

/// A literal of the signature, spelled like those of argument_text().
std::string constant_text(const ConstantValue& constant);

/// The operator's name without the part that most share: `aten.add.Tensor` for `torch.ops.aten.add.Tensor`.
std::string operator_text(std::string_view target);

}  // namespace pt2
