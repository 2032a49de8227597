#pragma once

#include <map>
#include <string_view>

namespace generator {

/// By include name: the library's headers and sources, RapidJSON's headers, the licenses "LICENSE" and
/// "rapidjson/LICENSE", and the lists "public_headers.cmake" and "copied_levels.txt". Defined by
/// embed_files.cmake.
const std::map<std::string_view, std::string_view>& runtime_files();

}  // namespace generator
