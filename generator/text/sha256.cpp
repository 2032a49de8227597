#include "text/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace generator {
namespace {

void require(bool done) {
  if (!done) throw std::runtime_error("OpenSSL could not compute SHA-256");
}

}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  require(context_ != nullptr && EVP_DigestInit_ex(context_, EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() {
  EVP_MD_CTX_free(context_);
}

void Sha256::update(std::string_view bytes) {
  require(EVP_DigestUpdate(context_, bytes.data(), bytes.size()) == 1);
}

std::array<unsigned char, 32> Sha256::digest() {
  std::array<unsigned char, 32> digest{};
  require(EVP_DigestFinal_ex(context_, digest.data(), nullptr) == 1);
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
