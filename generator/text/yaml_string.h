#pragma once

#include <string>
#include <string_view>

namespace generator {

/// As the schema language reads it.
std::string yaml_string(std::string_view text);

}  // namespace generator
