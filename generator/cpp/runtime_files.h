// The files that an amalgamation is made of, as they are built into the program.
#pragma once

#include <map>
#include <string_view>

namespace generator {

/// The library's headers and sources and RapidJSON's headers, by the names that they are included by
/// ("schemagen/base/value.h", "rapidjson/reader.h"), and the licences "LICENSE" and "rapidjson/LICENSE".
/// Defined by embed_files.cmake.
const std::map<std::string_view, std::string_view>& runtime_files();

}  // namespace generator
