// By libdeflate, by zlib (a few times slower), or by a table.
#pragma once

#include <cstdint>
#include <string_view>

namespace pt2 {

/// Of `bytes` appended to data with the checksum `before`.
std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before = 0);

}  // namespace pt2
