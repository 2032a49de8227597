// Texts and words as Python has them.
#pragma once

#include <string>
#include <string_view>

namespace generator {

/// `text`, UTF-8, as `repr` gives it: in single quotes unless it holds those and no double ones.
/// Limits: all that is not ASCII counts as printable.
std::string python_repr(std::string_view text);

bool is_python_keyword(std::string_view word);

}  // namespace generator
