// Words in a row.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace generator {

/// `words` with `between` between each two of them.
template <typename Word>
std::string joined(const std::vector<Word>& words, std::string_view between) {
  std::string out;
  for (const Word& word : words) out.append(&word == &words.front() ? "" : between).append(word);
  return out;
}

inline constexpr std::size_t kMaxListed = 20;  // so that messages about a schema of any size can be read

/// The words with commas between; of many only the first.
template <typename Word>
std::string first_of(const std::vector<Word>& words) {
  if (words.size() <= kMaxListed) return joined(words, ", ");
  return joined(std::vector<Word>(words.begin(), words.begin() + kMaxListed), ", ") + ", ...";
}

}  // namespace generator
