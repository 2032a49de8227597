#pragma once

#include <string>
#include <string_view>

namespace generator {

/// Returns a double-quoted string as the schema language reads it.
std::string yaml_string(std::string_view text);

}  // namespace generator
