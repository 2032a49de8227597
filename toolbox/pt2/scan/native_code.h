#pragma once

#include <string_view>

namespace pt2 {

/// Returns what kind of native code it is, such as `an ELF file for x86-64`; empty for anything else.
std::string_view native_code(std::string_view bytes);

}  // namespace pt2
