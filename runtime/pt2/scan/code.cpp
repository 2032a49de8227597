#include "pt2/scan/code.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "pt2/archive/zip_bytes.h"
#include "pt2/text/affix.h"

namespace pt2 {
namespace {

constexpr std::size_t kMaxLooked = std::size_t{256} << 10;  // bytes of a text

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

bool is_text(std::string_view bytes) {
  return !bytes.empty() && std::none_of(bytes.begin(), bytes.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f') || byte == 0x7F;
  });
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  });
}

std::string_view stripped(std::string_view line) {
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

/// `import a.b`, `from a import b`, `def f(...):`, `class C:`
bool is_python(std::string_view line) {
  if ((starts_with(line, "def ") || starts_with(line, "class ")) && ends_with(line, ":")) return true;
  if (starts_with(line, "import ")) return is_name(line.substr(7, line.find(' ', 7) - 7));
  if (!starts_with(line, "from ")) return false;
  const std::size_t end = line.find(" import ");
  return end != line.npos && is_name(line.substr(5, end - 5));
}

std::string_view language_of_line(std::string_view line) {
  for (const std::string_view start :
       {"#include ", "#include<", "#pragma ", "#define ", "extern \"C\"", "__global__ "}) {
    if (starts_with(line, start)) return "C++";
  }
  if (is_python(line)) return "Python";
  if (starts_with(line, ".target sm_")) return "PTX";
  if (starts_with(line, "target triple = ")) return "LLVM IR";
  return {};
}

}  // namespace

std::string_view native_code(std::string_view bytes) {
  for (const Magic& magic : kMagics) {
    if (starts_with(bytes, magic.start)) return magic.what;
  }
  if (is_windows_image(bytes)) return "a program or library of Windows";
  return elf(bytes);
}

std::string_view source_language(std::string_view bytes) {
  std::string_view rest = bytes.substr(0, kMaxLooked);
  if (!is_text(rest)) return {};
  if (starts_with(rest, "#!/")) return "a script";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view language = language_of_line(stripped(rest.substr(0, end)));
    if (!language.empty()) return language;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

}  // namespace pt2
