#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace generator {

/// Returns the text as `repr` prints it: in single quotes unless `text` contains single quotes but no double
/// quotes. Treats all non-ASCII characters as printable.
std::string python_repr(std::string_view text);

bool is_python_keyword(std::string_view word);

template <typename Words>
bool is_among(const Words& words, std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

}  // namespace generator
