// SHA-256. The only file of this command that knows OpenSSL.
#pragma once

#include <string>
#include <string_view>

namespace pt2::tool {

/// The SHA-256 of `bytes` (FIPS 180-4) as 64 lower-case hexadecimal digits.
/// Errors: std::runtime_error if OpenSSL cannot do it, e.g. for want of memory.
std::string sha256_hex(std::string_view bytes);

}  // namespace pt2::tool
