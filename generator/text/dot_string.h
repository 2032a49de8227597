// Strings in the DOT language of Graphviz.
#pragma once

#include <string>
#include <string_view>

namespace generator {

/// Returns a quoted string; line ends become line breaks of the label.
std::string dot_string(std::string_view text);

}  // namespace generator
