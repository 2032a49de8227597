// SHA-256. The only file that knows OpenSSL.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace generator {

/// The SHA-256 of `bytes` (FIPS 180-4), 32 bytes.
/// Errors: std::runtime_error if OpenSSL cannot do it, e.g. for want of memory.
std::array<std::uint8_t, 32> sha256(std::string_view bytes);

/// The same as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace generator
