// The files that amalgamations consist of, embedded in the program.
#pragma once

#include <map>
#include <string_view>

namespace generator {

/// The library's headers and sources and RapidJSON's headers by include name ("schemagen/base/value.h",
/// "rapidjson/reader.h"), the licences "LICENSE" and "rapidjson/LICENSE", and the lists
/// "public_headers.cmake" and "copied_levels.txt". Defined by embed_files.cmake.
const std::map<std::string_view, std::string_view>& runtime_files();

}  // namespace generator
