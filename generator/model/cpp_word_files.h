#pragma once

#include <map>
#include <string_view>

namespace generator {

/// "object_macros.txt" and others: words separated by blanks and line ends. Defined by embed_files.cmake.
const std::map<std::string_view, std::string_view>& cpp_word_files();

}  // namespace generator
