#include "text/sha256.h"

#include <openssl/evp.h>

#include <stdexcept>

namespace generator {

std::array<std::uint8_t, 32> sha256(std::string_view bytes) {
  std::array<std::uint8_t, 32> digest{};
  unsigned int length = 0;
  const int done = EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
  if (done != 1 || length != digest.size()) throw std::runtime_error("OpenSSL could not compute SHA-256");
  return digest;
}

std::string sha256_hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const std::uint8_t byte : sha256(bytes)) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

}  // namespace generator
