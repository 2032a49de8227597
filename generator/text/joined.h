#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace generator {

template <typename Word>
std::string joined(const std::vector<Word>& words, std::string_view between) {
  std::string out;
  for (const Word& word : words) out.append(&word == &words.front() ? "" : between).append(word);
  return out;
}

inline constexpr std::size_t kMaxListed = 20;  // keeps messages about large schemas readable

template <typename Word>
std::string first_of(const std::vector<Word>& words) {
  if (words.size() <= kMaxListed) return joined(words, ", ");
  return joined(std::vector<Word>(words.begin(), words.begin() + kMaxListed), ", ") + ", ...";
}

}  // namespace generator
