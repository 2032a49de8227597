// Decompression of zip members by zlib.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "pt2/archive/file.h"

namespace pt2 {

/// The maximum compression ratio of deflate.
inline constexpr std::size_t kMaxInflateRatio = 1032;

/// Inflates `packed`, raw deflate data, to `out`: exactly `size` bytes. Returns the fault of the data, or an
/// empty string. Built without zlib, it rejects all data.
std::string inflate(std::string_view packed, std::uint64_t size, const ByteSink& out);

}  // namespace pt2
