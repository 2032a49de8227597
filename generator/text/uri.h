#pragma once

#include <string>
#include <string_view>

namespace generator {

std::string percent_escape(char c);

/// Returns relative names unchanged, and absolute names with the scheme `file`.
std::string file_uri(std::string_view file);

}  // namespace generator
