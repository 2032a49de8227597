#pragma once

#include <string>
#include <string_view>

namespace generator {

/// Line ends become line breaks in the label.
std::string dot_string(std::string_view text);

}  // namespace generator
