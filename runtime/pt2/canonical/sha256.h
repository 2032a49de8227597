// SHA-256 without a library, for texts of programs: whoever links the versions needs nothing else. Weights
// are hashed by OpenSSL, in the command, which is several times as fast.
#pragma once

#include <string>
#include <string_view>

namespace pt2 {

/// The SHA-256 (FIPS 180-4) of `bytes`: 64 lower-case digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace pt2
