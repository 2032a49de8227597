// What is known of values besides their data, as short text: `f32[s0, 4]@cuda:0`, `int(2*s0)`. All functions
// may be called from several threads at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pt2/types.h"

namespace pt2 {

/// `f32`, `i64`, `bool`, `f8e4m3fn`; `unknown` for ScalarType::UNKNOWN, `dtype(99)` for a number without a
/// name.
std::string dtype_text(ScalarType dtype);

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

}  // namespace pt2
