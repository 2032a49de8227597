#pragma once

#include <string>
#include <string_view>

namespace generator {

/// Returns the text as a string in the DOT language. Line ends become line breaks in the label.
std::string dot_string(std::string_view text);

}  // namespace generator
