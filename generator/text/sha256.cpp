#include "text/sha256.h"

// The one of OpenSSL's two interfaces that OpenSSL 3 calls deprecated: of a static libcrypto it brings 29 KB
// into a program, where the other, which looks ciphers and formats up by name, brings 3.8 MB.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/sha.h>

#include <array>

namespace generator {

Sha256::Sha256() : state_(std::make_unique<SHA256state_st>()) {
  SHA256_Init(state_.get());
}

Sha256::~Sha256() = default;

void Sha256::update(std::string_view bytes) {
  SHA256_Update(state_.get(), bytes.data(), bytes.size());
}

std::array<unsigned char, 32> Sha256::digest() {
  std::array<unsigned char, 32> digest{};
  SHA256_Final(digest.data(), state_.get());
  return digest;
}

std::string Sha256::hex() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const unsigned char byte : digest()) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.hex();
}

std::string sha256_base64(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  const std::array<unsigned char, 32> digest = hash.digest();
  constexpr std::size_t kSize = (digest.size() + 2) / 3 * 4;
  std::array<unsigned char, kSize + 1> base64{};  // and a NUL
  EVP_EncodeBlock(base64.data(), digest.data(), static_cast<int>(digest.size()));
  return {base64.begin(), base64.begin() + kSize};
}

}  // namespace generator
