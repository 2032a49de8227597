// The checksum of zip archives: by libdeflate, by zlib, which takes a few times as long, or by a table.
#pragma once

#include <cstdint>
#include <string_view>

namespace pt2 {

/// The CRC-32 of `bytes` after those that have the checksum `before`.
std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before = 0);

}  // namespace pt2
