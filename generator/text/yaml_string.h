#pragma once

#include <string>
#include <string_view>

namespace generator {

/// Returns the text as a YAML string that the schema language reads back unchanged.
std::string yaml_string(std::string_view text);

}  // namespace generator
