#pragma once

#include <string>
#include <string_view>

namespace generator {

std::string percent_escape(char c);

/// Relative names do not change; absolute names get the scheme `file`.
std::string file_uri(std::string_view file);

}  // namespace generator
