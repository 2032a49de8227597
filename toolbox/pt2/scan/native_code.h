#pragma once

#include <string_view>

namespace pt2 {

/// `an ELF file for x86-64`, or empty
std::string_view native_code(std::string_view bytes);

}  // namespace pt2
