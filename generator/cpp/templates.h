// The templates, as they are built into the program.
#pragma once

#include <map>
#include <string_view>

namespace generator {

/// The templates of which each makes a file of a schema, by the name of that file.
inline constexpr std::string_view kTemplateNames[] = {
    "fwd.h",      "types.h",       "types.cpp",       "json.h",       "json.cpp", "binary.h",
    "binary.cpp", "schema_info.h", "schema_info.cpp", "reflection.h", "visit.h",
};

/// The templates of a schema's Python module, which is made where it is asked for: its source and its stub.
inline constexpr std::string_view kPythonTemplate = "python.cpp";
inline constexpr std::string_view kPythonStubTemplate = "python.pyi";

/// All templates: name, without `.mustache`, to text. Defined by embed_files.cmake.
const std::map<std::string_view, std::string_view>& templates();

}  // namespace generator
