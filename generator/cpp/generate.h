#pragma once

#include "cpp/output.h"

namespace generator {

/// If `name_space` is empty, the schema's name is used. `only` lists names from kTemplateNames; if it is
/// empty, all files are generated. If `python_module` is not empty, adds the source of a Python module with
/// that name.
std::vector<OutputFile> generate(const Model& model, const std::string& folder, const std::string& name_space,
                                 const std::vector<std::string>& only = {},
                                 const std::string& python_module = {});

inline constexpr std::string_view kTemplateNames[] = {
    "fwd.h",         "types.h",         "types.cpp",    "json.h",  "json.cpp",   "binary.h",  "binary.cpp",
    "schema_info.h", "schema_info.cpp", "reflection.h", "visit.h", "undefine.h", "restore.h",
};

inline constexpr std::string_view kPythonTemplate = "python.cpp";
inline constexpr std::string_view kPythonStubTemplate = "python.pyi";

}  // namespace generator
