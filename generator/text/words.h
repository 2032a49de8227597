#pragma once

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <unordered_set>

namespace generator {

using Words = std::unordered_set<std::string_view>;

/// Returns the words of the texts, which must outlive them. Spaces and line breaks separate words.
inline Words words_of(std::initializer_list<std::string_view> texts) {
  Words words;
  for (const std::string_view text : texts) {
    for (std::size_t at = text.find_first_not_of(" \n"); at != text.npos;
         at = text.find_first_not_of(" \n", at)) {
      const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
      words.insert(text.substr(at, end - at));
      at = end;
    }
  }
  return words;
}

}  // namespace generator
