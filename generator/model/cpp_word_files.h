#pragma once

#include <map>
#include <string_view>

namespace generator {

/// Returns files such as "object_macros.txt" by name; blanks and line ends separate their words. Defined by
/// embed_files.cmake.
const std::map<std::string_view, std::string_view>& cpp_word_files();

}  // namespace generator
