#pragma once

#include <string>
#include <string_view>

namespace generator {

/// Quoted; line ends become line breaks of the label.
std::string dot_string(std::string_view text);

}  // namespace generator
