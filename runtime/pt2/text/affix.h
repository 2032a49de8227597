// Tests prefixes and suffixes, which std::string_view can do since C++20.
#pragma once

#include <string_view>

namespace pt2 {

constexpr bool starts_with(std::string_view text, std::string_view start) noexcept {
  return text.substr(0, start.size()) == start;
}

constexpr bool ends_with(std::string_view text, std::string_view end) noexcept {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace pt2
