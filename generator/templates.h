// The templates, as they are built into the program.
#pragma once

#include <string_view>

namespace schemagen {

/// One output file: `name` is that of the template without `.mustache`.
struct Template {
  std::string_view name;
  std::string_view text;
};

inline constexpr std::string_view kTemplateNames[] = {
    "fwd.h",    "types.h",    "types.cpp",     "json.h",          "json.cpp",
    "binary.h", "binary.cpp", "schema_info.h", "schema_info.cpp", "reflection.h",
};

/// The template called `name`, one of kTemplateNames. Defined by templates.cmake.
std::string_view template_text(std::string_view name);

}  // namespace schemagen
