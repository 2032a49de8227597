#include "import/comments.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "text/characters.h"

namespace generator {
namespace {

bool is_for_tools(std::string_view text) {
  constexpr std::array<std::string_view, 7> kTools = {"type", "noqa", "pylint", "pyright",
                                                      "fmt",  "ruff", "isort"};
  const std::string_view word = text.substr(0, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"));
  const bool ends = word.size() == text.size() || !is_name_char(text[word.size()]);
  return text.substr(0, 5) == "pyre-" ||
         (ends && std::find(kTools.begin(), kTools.end(), word) != kTools.end());
}

std::string cleaned(std::string_view comment) {
  comment.remove_prefix(std::min(comment.find_first_not_of('#'), comment.size()));
  std::string words;
  for (const char c : comment) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\r' || c == '\f';
    if (!is_blank) {
      words += c;
    } else if (!words.empty() && words.back() != ' ') {
      words += ' ';
    }
  }
  if (!words.empty() && words.back() == ' ') words.pop_back();
  const bool has_words = std::any_of(words.begin(), words.end(), [](char c) {
    return is_name_char(c) || static_cast<unsigned char>(c) >= 0x80U;
  });
  return has_words && !is_for_tools(words) ? words : "";
}

}  // namespace

PythonComments::PythonComments(const std::vector<PythonComment>& comments) {
  for (const PythonComment& comment : comments)
    (comment.is_alone ? alone_ : behind_).emplace(comment.line, cleaned(comment.text));
}

std::string PythonComments::of(std::size_t first, std::size_t last) const {
  std::string text;
  const auto add = [&](const std::string& comment) {
    if (!comment.empty()) text += (text.empty() ? "" : " ") + comment;
  };
  std::size_t above = first;
  while (above > 1 && alone_.count(above - 1) != 0) --above;
  for (auto at = alone_.lower_bound(above); at != alone_.end() && at->first < first; ++at) add(at->second);
  for (auto at = behind_.lower_bound(first); at != behind_.end() && at->first <= last; ++at) add(at->second);
  return text;
}

}  // namespace generator
