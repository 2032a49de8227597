// What zip archives need of zlib, or of the code in its place: compressed data, and checksums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pt2 {

/// The most bytes that one byte of deflate's data can stand for.
inline constexpr std::size_t kMaxInflateRatio = 1032;

/// What came out of compressed data.
struct Inflated {
  std::string bytes;
  std::string fault;  // what is wrong with the data; empty: nothing is
};

/// What `packed` holds, data of deflate without a header, which should be `size` bytes. Takes memory for
/// `size` bytes at once. Without zlib, all data have a fault.
Inflated inflate(std::string_view packed, std::size_t size);

/// The checksum of zip archives.
std::uint32_t crc32_of(std::string_view bytes);

}  // namespace pt2
