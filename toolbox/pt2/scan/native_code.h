#pragma once

#include <string_view>

namespace pt2 {

/// Returns what kind of native code the bytes are, e.g. `an ELF file for x86-64`, or an empty string for
/// anything else.
std::string_view native_code(std::string_view bytes);

}  // namespace pt2
