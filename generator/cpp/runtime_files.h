#pragma once

#include <map>
#include <string_view>

namespace generator {

/// Returns the runtime's files by include name, and also licenses and lists. Defined by embed_files.cmake.
const std::map<std::string_view, std::string_view>& runtime_files();

}  // namespace generator
