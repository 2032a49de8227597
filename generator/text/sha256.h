// SHA-256. The only file that knows OpenSSL.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

struct evp_md_ctx_st;  // of OpenSSL

namespace generator {

/// The SHA-256 (FIPS 180-4) of bytes that come in parts. Errors: std::runtime_error if OpenSSL cannot do it,
/// e.g. for want of memory.
class Sha256 {
 public:
  Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  ~Sha256();

  void update(std::string_view bytes);
  /// Of all bytes so far, after which there are no more: 32 bytes, or 64 lower-case hexadecimal digits.
  std::array<std::uint8_t, 32> digest();
  std::string hex();

 private:
  evp_md_ctx_st* context_;
};

/// Of all of `bytes`.
std::array<std::uint8_t, 32> sha256(std::string_view bytes);
std::string sha256_hex(std::string_view bytes);

}  // namespace generator
