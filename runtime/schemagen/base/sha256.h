// SHA-256 (FIPS 180-4). Uses the x86 instructions for it where available.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace schemagen {

class Sha256 {
 public:
  void update(std::string_view bytes);
  /// Returns the hash of all bytes so far. The object cannot be used afterwards.
  std::array<unsigned char, 32> digest();
  std::string hex();

 private:
  static constexpr std::size_t kBlockBytes = 64;

  // The first 32 bits of the fractional parts of the square roots of the first 8 primes (§5.3.3).
  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::uint64_t size_ = 0;
  std::array<char, kBlockBytes> rest_{};
};

std::string sha256_hex(std::string_view bytes);

}  // namespace schemagen
