#pragma once

#include <string>
#include <string_view>

namespace generator {

/// Returns a quoted DOT string; line ends become line breaks in the label.
std::string dot_string(std::string_view text);

}  // namespace generator
