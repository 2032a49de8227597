// The words that C++ keeps for itself.
#pragma once

#include <string_view>

namespace generator {

/// Is it a keyword of C++ (up to C++20) or one of its alternative tokens, like `and`?
bool is_cpp_keyword(std::string_view word);

}  // namespace generator
