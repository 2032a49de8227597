// Names of files as URIs.
#pragma once

#include <string>
#include <string_view>

namespace generator {

/// The byte `c` as `%` and two hexadecimal digits.
std::string percent_escape(char c);

/// A file name as a URI: relative as it is, absolute with the scheme `file`.
std::string file_uri(std::string_view file);

}  // namespace generator
