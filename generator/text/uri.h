#pragma once

#include <string>
#include <string_view>

namespace generator {

std::string percent_escape(char c);

/// Relative names stay unchanged; absolute ones get the scheme `file`.
std::string file_uri(std::string_view file);

}  // namespace generator
