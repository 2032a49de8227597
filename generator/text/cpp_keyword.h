#pragma once

#include <string_view>

namespace generator {

/// Returns whether it is a keyword up to C++20, or an alternative token such as `and`.
bool is_cpp_keyword(std::string_view word);

}  // namespace generator
