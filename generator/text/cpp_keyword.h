#pragma once

#include <string_view>

namespace generator {

/// Returns whether the word is a keyword in C++ up to C++20, or an alternative token such as `and`.
bool is_cpp_keyword(std::string_view word);

}  // namespace generator
