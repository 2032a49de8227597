// Text in the DOT language of Graphviz.
#pragma once

#include <string>
#include <string_view>

namespace generator {

/// A string of the DOT language, in its quotes; line ends break the line of a label.
std::string dot_string(std::string_view text);

}  // namespace generator
