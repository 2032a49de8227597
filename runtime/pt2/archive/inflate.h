// The compressed data of zip archives: what they need of zlib.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "pt2/archive/file.h"

namespace pt2 {

/// The most bytes that one byte of deflate's data can stand for.
inline constexpr std::size_t kMaxInflateRatio = 1032;

/// Gives what `packed` holds, data of deflate without a header, to `out`: `size` bytes, and never more.
/// Returns what is wrong with the data; empty: nothing is. Without zlib, all data have a fault.
std::string inflate(std::string_view packed, std::uint64_t size, const ByteSink& out);

}  // namespace pt2
