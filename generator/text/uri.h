#pragma once

#include <string>
#include <string_view>

namespace generator {

std::string percent_escape(char c);

/// Relative names unchanged, absolute ones with the scheme `file`.
std::string file_uri(std::string_view file);

}  // namespace generator
