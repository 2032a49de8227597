#include "pt2/versions/text/python_name.h"

#include <algorithm>
#include <iterator>

#include "pt2/versions/text/affix.h"
#include "schemagen/value/syntax.h"

namespace pt2 {
namespace {

using schemagen::is_digit;

bool begins_identifier(char c) {
  return schemagen::is_letter(c) || c == '_';
}
bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

}  // namespace

bool is_identifier(std::string_view text) {
  return !text.empty() && begins_identifier(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return begins_identifier(c) || is_digit(c); });
}

bool is_unicode_identifier(std::string_view text) {
  return !text.empty() && !is_digit(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
    return begins_identifier(c) || is_digit(c) || !is_ascii(c);
  });
}

bool is_keyword(std::string_view text) {
  constexpr std::string_view kKeywords[] = {
      "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
      "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield",
  };
  return std::find(std::begin(kKeywords), std::end(kKeywords), text) != std::end(kKeywords);
}

bool is_value_name(std::string_view text) {
  return is_identifier(text) && !is_keyword(text);
}

bool is_special_name(std::string_view text) {
  return starts_with(text, "__") && ends_with(text, "__");
}

bool is_plain_path(std::string_view text) {
  while (true) {
    const std::size_t dot = text.find('.');
    const std::string_view name = text.substr(0, dot);
    if (!is_identifier(name) || is_special_name(name)) return false;
    if (dot == text.npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool is_quotable(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    return (is_ascii(c) && c < ' ') || c == '\x7F' || c == '"' || c == '\'' || c == '\\';
  });
}

}  // namespace pt2
