// Native code, told by its first bytes.
#pragma once

#include <string_view>

namespace pt2 {

/// What native code `bytes` are: `an ELF file for x86-64`; empty: none that is known.
std::string_view native_code(std::string_view bytes);

}  // namespace pt2
