// Computes checksums with libdeflate, with zlib (a few times slower), or with a table.
#pragma once

#include <cstdint>
#include <string_view>

namespace pt2 {

/// Returns the checksum of `bytes` appended to data with the checksum `before`.
std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before = 0);

}  // namespace pt2
