// SHA-256 without a library, so that pt2::versions needs none. The command hashes weights with OpenSSL, which
// is several times as fast.
#pragma once

#include <string>
#include <string_view>

namespace pt2 {

/// Returns the SHA-256 (FIPS 180-4) of `bytes`: 64 lower-case digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace pt2
