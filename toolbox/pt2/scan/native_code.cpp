#include "pt2/scan/native_code.h"

#include <cstddef>
#include <cstdint>

#include "pt2/archive/zip_bytes.h"
#include "pt2/text/affix.h"

namespace pt2 {
namespace {

struct Magic {
  std::string_view start;
  std::string_view what;
};

constexpr Magic kMagics[] = {
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

struct Machine {
  std::uint16_t number;
  std::string_view what;
};

constexpr Machine kMachines[] = {
    {3, "an ELF file for x86"},
    {40, "an ELF file for ARM"},
    {62, "an ELF file for x86-64"},
    {183, "an ELF file for AArch64"},
    {190, "an ELF file for CUDA (cubin)"},
    {224, "an ELF file for AMD GPUs"},
    {243, "an ELF file for RISC-V"},
};

/// Source: the System V ABI, "ELF header".
std::string_view elf(std::string_view bytes) {
  if (!starts_with(bytes, {"\x7f"
                           "ELF",
                           4}) ||
      bytes.size() < 20)
    return {};
  const bool is_big = bytes[5] == 2;
  const std::uint16_t read = zip::number16(bytes, 18);
  const auto machine = static_cast<std::uint16_t>(is_big ? read >> 8 | read << 8 : read);
  for (const Machine& each : kMachines) {
    if (each.number == machine) return each.what;
  }
  return "an ELF file";
}

/// "MZ", and the offset of "PE" at byte 60.
bool is_windows_image(std::string_view bytes) {
  if (!starts_with(bytes, "MZ") || bytes.size() < 64) return false;
  return zip::has_signature(bytes, zip::number(bytes, 60, 4), {"PE\0\0", 4});
}

}  // namespace

std::string_view native_code(std::string_view bytes) {
  for (const Magic& magic : kMagics) {
    if (starts_with(bytes, magic.start)) return magic.what;
  }
  if (is_windows_image(bytes)) return "a Windows program or library";
  return elf(bytes);
}

}  // namespace pt2
