#pragma once

#include <string>
#include <string_view>

namespace pt2 {

template <class Items, class TextOf>
std::string join_texts(const Items& items, std::string_view separator, const TextOf& text_of) {
  std::string joined;
  bool is_first = true;
  for (const auto& item : items) {
    if (!is_first) joined += separator;
    is_first = false;
    joined += text_of(item);
  }
  return joined;
}
template <class Strings>
std::string join_texts(const Strings& strings, std::string_view separator) {
  return join_texts(
      strings, separator, [](const auto& text) -> const auto& { return text; });
}

}  // namespace pt2
