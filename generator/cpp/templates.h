#pragma once

#include <string_view>

namespace generator {

inline constexpr std::string_view kTemplateNames[] = {
    "fwd.h",         "types.h",         "types.cpp",    "json.h",  "json.cpp",   "binary.h",  "binary.cpp",
    "schema_info.h", "schema_info.cpp", "reflection.h", "visit.h", "undefine.h", "restore.h",
};

inline constexpr std::string_view kPythonTemplate = "python.cpp";
inline constexpr std::string_view kPythonStubTemplate = "python.pyi";

}  // namespace generator
