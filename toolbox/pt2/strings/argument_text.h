// Text for arguments, operators and the types of values (`f32[s0, 4]@cuda:0`, `int(2*s0)`).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "pt2/graph/walk.h"
#include "pt2/types.h"

namespace pt2 {

/// Returns `f32`, `i64`, `bool` or `f8e4m3fn`; `unknown` for ScalarType::UNKNOWN, `dtype(99)` for a number
/// without a name.
std::string dtype_text(ScalarType dtype);

/// Returns the schema's name, `FLOAT`; `dtype(99)` for a number without a name.
std::string enumerator_text(ScalarType dtype);

/// Returns torch's name: `strided`, `sparse_coo`.
std::string layout_text(Layout layout);

/// Returns torch's name: `channels_last`.
std::string memory_format_text(MemoryFormat format);

/// Returns `cpu` or `cuda:0`.
std::string device_text(const Device& device);

/// Returns `4`, or the expression: `2*s0`.
std::string sym_int_text(const SymInt& value);
std::string sym_float_text(const SymFloat& value);
std::string sym_bool_text(const SymBool& value);

/// Returns `f32[s0, 4]`, followed by what differs from a strided tensor on the CPU:
/// `f32[3]{sparse_coo}@cuda:0`.
std::string tensor_type_text(const TensorMeta& meta);

/// Returns the number of elements; nullopt if a size is symbolic or negative, or if the number exceeds 2^63 -
/// 1.
std::optional<std::int64_t> element_count(const TensorMeta& meta);

/// Whether text has colors.
enum class Colours {
  none,
  ansi,  // types are dimmed by ECMA-48 sequences
};

/// Returns the text that argument_text() writes for a value.
using ValueText = std::function<std::string(const ValueName&)>;

/// Returns the name itself, printable.
std::string name_text(const ValueName& value);

/// Returns the type of a value in `graph`: `f32[3]`, `int(2*s0)`, or the class of a custom object. Empty for
/// names that are in none of its tables, such as tokens.
std::string type_text(const Graph& graph, const ValueName& value);

/// Returns an argument, with Python literals, names of subgraphs, and values as `value` returns them: `x`,
/// `1e-05`, `"text"`, `[x, None]`, `f16`, `channels_last`, `{"k": [s, 2]}`, `true_graph_0`. A union without a
/// member is `<unset>`.
std::string argument_text(const Argument& argument, const ValueText& value = name_text);

/// Returns a literal in the signature, spelled as in argument_text().
std::string constant_text(const ConstantValue& constant);

/// Returns the operator's name without `torch.ops.`: `aten.add.Tensor`.
std::string operator_text(std::string_view target);

}  // namespace pt2
