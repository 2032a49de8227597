// What std::string_view's own member does from C++20 on.
#pragma once

#include <string_view>

namespace pt2 {

constexpr bool starts_with(std::string_view text, std::string_view start) noexcept {
  return text.substr(0, start.size()) == start;
}

}  // namespace pt2
