#pragma once

#include <string>
#include <string_view>

namespace generator {

/// Returns the text as `repr` prints it: in single quotes unless `text` contains single quotes but no double
/// quotes. Treats all non-ASCII characters as printable.
std::string python_repr(std::string_view text);

bool is_python_keyword(std::string_view word);

}  // namespace generator
