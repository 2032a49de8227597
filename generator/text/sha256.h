// SHA-256. Its source is the only file that knows OpenSSL.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

struct SHA256state_st;  // of OpenSSL

namespace generator {

/// The SHA-256 (FIPS 180-4) of bytes that come in parts.
class Sha256 {
 public:
  Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  ~Sha256();

  void update(std::string_view bytes);
  /// Of all bytes so far, after which there are no more: 64 lower-case digits.
  std::string hex();
  /// The same as bytes.
  std::array<unsigned char, 32> digest();

 private:
  std::unique_ptr<SHA256state_st> state_;
};

/// Of all of `bytes`.
std::string sha256_hex(std::string_view bytes);
/// The same in base64, with padding.
std::string sha256_base64(std::string_view bytes);

}  // namespace generator
