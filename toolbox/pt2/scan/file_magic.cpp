#include "pt2/scan/file_magic.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "pt2/archive/zip_bytes.h"
#include "pt2/text/affix.h"

namespace pt2 {
namespace {

/// The first bytes, and what they begin.
constexpr std::pair<std::string_view, std::string_view> kMagics[] = {
    {{"\xfe\xed\xfa\xce", 4}, "a Mach-O file"},
    {{"\xfe\xed\xfa\xcf", 4}, "a Mach-O file"},
    {{"\xce\xfa\xed\xfe", 4}, "a Mach-O file"},
    {{"\xcf\xfa\xed\xfe", 4}, "a Mach-O file"},
    {{"\xca\xfe\xba\xbe\0\0\0", 7}, "a Mach-O file of several architectures"},
    {{"\x50\xed\x55\xba", 4}, "a CUDA fat binary"},
    {{"!<arch>\n", 8}, "a static library"},
    {{"BC\xc0\xde", 4}, "LLVM bitcode"},
    {{"MTLB", 4}, "a Metal library"},
    {{"\x03\x02\x23\x07", 4}, "a SPIR-V module"},
};

constexpr std::string_view kElf(
    "\x7f"
    "ELF",
    4);

/// The number in an ELF header, and what the file is.
constexpr std::pair<std::uint16_t, std::string_view> kMachines[] = {
    {3, "an ELF file for x86"},
    {40, "an ELF file for ARM"},
    {62, "an ELF file for x86-64"},
    {183, "an ELF file for AArch64"},
    {190, "an ELF file for CUDA (cubin)"},
    {224, "an ELF file for AMD GPUs"},
    {243, "an ELF file for RISC-V"},
};

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

std::string_view native_code(std::string_view bytes) {
  for (const auto& [start, what] : kMagics) {
    if (starts_with(bytes, start)) return what;
  }
  // "MZ", and the offset of "PE" at byte 60.
  if (starts_with(bytes, "MZ") && bytes.size() >= 64 &&
      zip::has_signature(bytes, zip::number(bytes, 60, 4), {"PE\0\0", 4})) {
    return "a Windows program or library";
  }
  // Source: the System V ABI, "ELF header".
  if (!starts_with(bytes, kElf) || bytes.size() < 20) return {};
  const bool is_big = bytes[5] == 2;
  const std::uint16_t read = zip::number16(bytes, 18);
  const auto number = static_cast<std::uint16_t>(is_big ? read >> 8 | read << 8 : read);
  for (const auto& [machine, what] : kMachines) {
    if (machine == number) return what;
  }
  return "an ELF file";
}

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
