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

constexpr std::string_view kElf(
    "\x7f"
    "ELF",
    4);

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

}  // namespace

std::string_view native_code(std::string_view bytes) {
  for (const Magic& magic : kMagics) {
    if (starts_with(bytes, magic.start)) return magic.what;
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
  for (const Machine& machine : kMachines) {
    if (machine.number == number) return machine.what;
  }
  return "an ELF file";
}

}  // namespace pt2
