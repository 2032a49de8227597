#pragma once

#include <map>
#include <string_view>

namespace generator {

/// Returns the library's headers and source files, RapidJSON's headers, licenses and lists, each by its
/// include name. Defined by embed_files.cmake.
const std::map<std::string_view, std::string_view>& runtime_files();

}  // namespace generator
