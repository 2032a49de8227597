// Reads lists of words that are separated by single spaces.
#pragma once

#include <algorithm>
#include <string_view>

namespace pt2 {

template <class Visit>
void for_each_word(std::string_view words, const Visit& visit) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    visit(word);
    words.remove_prefix((std::min)(word.size() + 1, words.size()));
  }
}

inline bool has_word(std::string_view words, std::string_view searched) {
  bool is_found = false;
  for_each_word(words, [&](std::string_view word) { is_found = is_found || word == searched; });
  return is_found;
}

}  // namespace pt2
