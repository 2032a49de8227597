// File names as URIs.
#pragma once

#include <string>
#include <string_view>

namespace generator {

/// Returns the byte `c` as `%` and two hexadecimal digits.
std::string percent_escape(char c);

/// Returns a URI: relative names unchanged, absolute ones with the scheme `file`.
std::string file_uri(std::string_view file);

}  // namespace generator
