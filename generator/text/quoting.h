#pragma once

#include <string>
#include <string_view>

namespace generator {

/// Returns the text as `repr` prints it: in single quotes unless `text` contains single quotes but no double
/// quotes. Treats all non-ASCII characters as printable.
std::string python_repr(std::string_view text);

bool is_python_keyword(std::string_view word);

/// Returns the text as a YAML string that the schema language reads back unchanged.
std::string yaml_string(std::string_view text);

/// Line ends become line breaks in the label.
std::string dot_string(std::string_view text);

}  // namespace generator
