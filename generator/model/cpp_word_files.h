#pragma once

#include <map>
#include <string_view>

namespace generator {

/// By name, such as "object_macros.txt"; blanks and line ends separate words. Defined by embed_files.cmake.
const std::map<std::string_view, std::string_view>& cpp_word_files();

}  // namespace generator
