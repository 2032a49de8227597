#pragma once

#include <map>
#include <string_view>

namespace generator {

inline constexpr std::string_view kTemplateNames[] = {
    "fwd.h",         "types.h",         "types.cpp",    "json.h",  "json.cpp",   "binary.h",  "binary.cpp",
    "schema_info.h", "schema_info.cpp", "reflection.h", "visit.h", "undefine.h", "restore.h",
};

inline constexpr std::string_view kPythonTemplate = "python.cpp";
inline constexpr std::string_view kPythonStubTemplate = "python.pyi";

/// Returns the templates by name, without `.mustache`. Defined by embed_files.cmake.
const std::map<std::string_view, std::string_view>& templates();

}  // namespace generator
