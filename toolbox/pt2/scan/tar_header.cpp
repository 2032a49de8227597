#include "pt2/scan/tar_header.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace pt2 {
namespace {

constexpr std::size_t kTarBlock = 512;
constexpr std::size_t kChecksum = 148;
constexpr std::size_t kChecksumSize = 8;

/// As in Python's int(text, 8), or GNU's binary form.
std::optional<std::int64_t> stated_checksum(std::string_view field) {
  std::int64_t value = 0;
  if (field[0] == '\x80' || field[0] == '\xff') {
    for (const char c : field.substr(4)) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  }
  field = field.substr(0, field.find('\0'));
  // Allows surrounding space, a sign, `0o`, and `_` between digits.
  for (const char c : field) {
    if (c >= '0' && c <= '7') {
      value = value << 3 | (c - '0');
    } else if (std::string_view(" \t\r\n\v\f+oO_").find(c) == std::string_view::npos) {
      return std::nullopt;
    }
  }
  return value;
}

}  // namespace

bool looks_like_tar(std::string_view bytes) {
  if (bytes.size() < kTarBlock) return false;
  const std::string_view header = bytes.substr(0, kTarBlock);
  if (header.substr(257, 5) == "ustar") return true;
  if (header.find_first_not_of('\0') == header.npos) return false;  // the end of an archive
  std::int64_t plain = 0;
  std::int64_t with_sign = 0;  // of signed bytes, as in some old programs
  for (std::size_t i = 0; i < kTarBlock; ++i) {
    const bool is_checksum = i >= kChecksum && i < kChecksum + kChecksumSize;
    const char c = is_checksum ? ' ' : header[i];
    plain += static_cast<unsigned char>(c);
    with_sign += static_cast<signed char>(c);
  }
  const std::optional<std::int64_t> stated = stated_checksum(header.substr(kChecksum, kChecksumSize));
  return stated == plain || stated == with_sign;
}

}  // namespace pt2
