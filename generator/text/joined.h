// Words in a row.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace generator {

/// `words` with `between` between each two of them.
inline std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (const std::string& word : words) out.append(&word == &words.front() ? "" : between).append(word);
  return out;
}

}  // namespace generator
