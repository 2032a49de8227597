#include "pt2/archive/crc32.h"

#if defined(PT2_WITH_LIBDEFLATE)
#include <libdeflate.h>
#elif defined(PT2_WITH_ZLIB)
#include <zlib.h>
#else
#include <array>
#endif

namespace pt2 {

#if defined(PT2_WITH_LIBDEFLATE)
std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before) {
  return libdeflate_crc32(before, bytes.data(), bytes.size());
}
#elif defined(PT2_WITH_ZLIB)
std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before) {
  const uLong crc = crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  return static_cast<std::uint32_t>(crc);  // a uLong may be wider
}
#else
namespace {

constexpr std::array<std::uint32_t, 256> make_checksum_table() {
  constexpr std::uint32_t kPolynomial = 0xEDB88320;  // 4.4.7, bit-reversed
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? kPolynomial : 0);
    table[byte] = rest;
  }
  return table;
}

}  // namespace

std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before) {
  static constexpr std::array<std::uint32_t, 256> kTable = make_checksum_table();
  std::uint32_t rest = ~before;
  for (const char c : bytes) rest = (rest >> 8) ^ kTable[(rest ^ static_cast<unsigned char>(c)) & 0xFF];
  return ~rest;
}
#endif

}  // namespace pt2
