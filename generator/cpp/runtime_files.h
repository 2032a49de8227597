#pragma once

#include <map>
#include <string_view>

namespace generator {

/// Returns RapidJSON's headers, too, and licenses and lists, by include name. Defined by embed_files.cmake.
const std::map<std::string_view, std::string_view>& runtime_files();

}  // namespace generator
