// Operands, results and operators of nodes as text, and what is known of values besides their data:
// `f32[s0, 4]@cuda:0`, `int(2*s0)`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "pt2/graph/walk.h"
#include "pt2/types.h"

namespace pt2 {

/// `f32`, `i64`, `bool`, `f8e4m3fn`; `unknown` for ScalarType::UNKNOWN, `dtype(99)` for a number without a
/// name.
std::string dtype_text(ScalarType dtype);

/// As the schema calls it, `FLOAT`; `dtype(99)` for a number without a name.
std::string enumerator_text(ScalarType dtype);

/// As torch calls it: `strided`, `sparse_coo`.
std::string layout_text(Layout layout);

/// As torch calls it: `channels_last`.
std::string memory_format_text(MemoryFormat format);

/// `cpu`, `cuda:0`.
std::string device_text(const Device& device);

/// `4`, or the expression: `2*s0`.
std::string sym_int_text(const SymInt& value);
std::string sym_float_text(const SymFloat& value);
std::string sym_bool_text(const SymBool& value);

/// `f32[s0, 4]`. What differs from a strided tensor on the CPU follows: `f32[3]{sparse_coo}@cuda:0`.
std::string tensor_type_text(const TensorMeta& meta);

/// Number of elements; nullopt if a size is symbolic or negative, or there are more than 2^63 - 1.
std::optional<std::int64_t> element_count(const TensorMeta& meta);

/// Whether text for people has colours.
enum class Colours {
  none,
  ansi,  // types are dim, by ECMA-48's sequences
};

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
