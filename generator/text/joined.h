// Words in a row.
#pragma once

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

}  // namespace generator
