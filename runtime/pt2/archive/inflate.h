#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "pt2/archive/file.h"

namespace pt2 {

inline constexpr std::size_t kMaxInflateRatio = 1032;

/// Writes exactly `size` bytes to `out`. Returns the fault of the raw deflate data, or an empty string. Built
/// without zlib, it rejects all data.
std::string inflate(std::string_view packed, std::uint64_t size, const ByteSink& out);

}  // namespace pt2
