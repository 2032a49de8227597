#pragma once

#include <map>
#include <string_view>

namespace generator {

/// Spaces and line breaks separate words. Defined by embed_files.cmake.
const std::map<std::string_view, std::string_view>& cpp_word_files();

}  // namespace generator
