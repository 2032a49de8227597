// Returns arguments, operators and types of values as text, e.g. `f32[s0, 4]@cuda:0` or `int(2*s0)`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "pt2/graph/walk.h"
#include "pt2/types.h"

namespace pt2 {

/// Returns the dtype's short name, e.g. `f32`, `i64`, `bool` or `f8e4m3fn`. Returns `unknown` for
/// ScalarType::UNKNOWN, and text such as `dtype(99)` for a number without a name.
std::string dtype_text(ScalarType dtype);

/// Returns the dtype's name in the schema, e.g. `FLOAT`, or text such as `dtype(99)` for a number without a
/// name.
std::string enumerator_text(ScalarType dtype);

/// Returns torch's name for the layout, e.g. `strided` or `sparse_coo`.
std::string layout_text(Layout layout);

/// Returns torch's name for the memory format, e.g. `channels_last`.
std::string memory_format_text(MemoryFormat format);

/// Returns the device's name, e.g. `cpu` or `cuda:0`.
std::string device_text(const Device& device);

/// Returns the number or the expression as text, e.g. `4` or `2*s0`.
std::string sym_int_text(const SymInt& value);
std::string sym_float_text(const SymFloat& value);
std::string sym_bool_text(const SymBool& value);

/// Returns the dtype and sizes, e.g. `f32[s0, 4]`. The layout follows if it is not strided, and the device
/// follows if it is not the CPU, e.g. `f32[3]{sparse_coo}@cuda:0`.
std::string tensor_type_text(const TensorMeta& meta);

/// Returns the number of elements. Returns nullopt if a size is symbolic or negative, or if the number
/// exceeds 2^63 - 1.
std::optional<std::int64_t> element_count(const TensorMeta& meta);

/// How text is colored.
enum class Colours {
  none,
  ansi,  // types are dimmed with ECMA-48 escape sequences
};

/// A function that returns the text that argument_text() writes for a value.
using ValueText = std::function<std::string(const ValueName&)>;

/// Returns the value's name, made printable.
std::string name_text(const ValueName& value);

/// Returns the type of a value in `graph`, e.g. `f32[3]` or `int(2*s0)`, or the class of a custom object.
/// Returns an empty string for names that none of the graph's tables contain, such as tokens.
std::string type_text(const Graph& graph, const ValueName& value);

/// Returns type_text() of the values of `graph`, which must outlive the function.
inline ValueText types_in(const Graph& graph) {
  return [&graph](const ValueName& value) { return type_text(graph, value); };
}

/// Returns an argument as text. Literals are spelled as in Python, subgraphs appear by name, and values
/// appear as the text that `value` returns. Examples are `x`, `1e-05`, `"text"`, `[x, None]`, `f16`,
/// `channels_last`, `{"k": [s, 2]}` and `true_graph_0`. For an unset union, returns `<unset>`.
std::string argument_text(const Argument& argument, const ValueText& value = name_text);

/// Returns a literal from the signature in the same spelling as argument_text().
std::string constant_text(const ConstantValue& constant);

/// Returns the operator's name without `torch.ops.`, e.g. `aten.add.Tensor`.
std::string operator_text(std::string_view target);

}  // namespace pt2
