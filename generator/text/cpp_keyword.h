#pragma once

#include <string_view>

namespace generator {

/// Up to C++20, with alternative tokens such as `and`.
bool is_cpp_keyword(std::string_view word);

}  // namespace generator
