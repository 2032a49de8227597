// Recognizes files by their first bytes.
#pragma once

#include <string_view>

namespace pt2 {

/// Returns what kind of native code the bytes are, e.g. `an ELF file for x86-64`, or an empty string for
/// anything else.
std::string_view native_code(std::string_view bytes);

/// Returns whether Python's tarfile accepts the first 512 bytes as a member's header. All dialects have a
/// checksum, but not all have a magic string.
bool looks_like_tar(std::string_view bytes);

}  // namespace pt2
