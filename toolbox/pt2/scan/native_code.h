// Recognizes native code by its first bytes.
#pragma once

#include <string_view>

namespace pt2 {

/// Returns a description such as `an ELF file for x86-64`, or an empty string.
std::string_view native_code(std::string_view bytes);

}  // namespace pt2
