// The words of model/cpp_words, as they are built into the program.
#pragma once

#include <map>
#include <string_view>

namespace generator {

/// "object_macros.txt" and the others: words between blanks and line ends. Defined by embed_files.cmake.
const std::map<std::string_view, std::string_view>& cpp_word_files();

}  // namespace generator
