#pragma once

#include <cstdint>

#include "pt2/archive/file.h"

namespace pt2 {

inline constexpr std::size_t kMaxInflateRatio = 1032;

/// Decompresses raw deflate data and writes exactly `size` bytes to `out`. Returns an error in the data, or
/// an empty string. If built without zlib, rejects all data.
std::string inflate(std::string_view packed, std::uint64_t size, const ByteSink& out);

}  // namespace pt2
