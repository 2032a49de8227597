#include "source_tokens.h"

#include <algorithm>
#include <cstddef>

#include "model/cpp_words.h"
#include "schemagen/base/ascii.h"
#include "text/characters.h"

namespace {

using schemagen::is_digit;
using schemagen::is_name_char;

enum class Names { told_apart, alike };

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string with_joined_lines(std::string_view source) {
  std::string text(source);
  // Other trigraphs do no harm in a comment or literal.
  replace_all(text, "?\?/", "\\");
  for (const std::string_view end : {"\r\n", "\r", "\v", "\f", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"})
    replace_all(text, end, "\n");
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t end = text.find_first_not_of(" \t", at + 1);
    const bool is_joined = text[at] == '\\' && end != std::string::npos && text[end] == '\n';
    is_joined ? void(at = end) : out.push_back(text[at]);
  }
  return out;
}

std::size_t end_of_literal(std::string_view text, std::size_t at) {
  const char mark = text[at];
  for (++at; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == mark) return at + 1;
    if (text[at] == '\\') ++at;
  }
  return std::string_view::npos;
}

std::string word_token(std::string_view word, Names names) {
  if (is_digit(word.front())) return "0";
  return names == Names::told_apart || generator::is_cpp_keyword(word) ? std::string(word) : "a";
}

std::vector<std::string> tokens_of(std::string_view text, Names names, std::string_view comment = "//") {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (std::string_view(" \t\n").find(c) != std::string_view::npos) {
      ++at;
    } else if (text.substr(at, comment.size()) == comment) {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    } else if (c == '"' || c == '\'') {
      const std::size_t end = end_of_literal(text, at);
      tokens.emplace_back(end == std::string_view::npos ? "error" : "\"");
      at = std::min(end, text.size());
    } else if (is_name_char(c)) {
      std::size_t end = at;
      while (end < text.size() && is_name_char(text[end])) ++end;
      tokens.push_back(word_token(text.substr(at, end - at), names));
      at = end;
    } else {
      tokens.emplace_back(1, c);
      ++at;
    }
  }
  return tokens;
}

}  // namespace

std::vector<std::string> cpp_tokens(std::string_view source) {
  return tokens_of(with_joined_lines(source), Names::alike);
}

std::vector<std::string> data_tokens(std::string_view text) {
  return tokens_of(text, Names::told_apart);
}

std::vector<std::string> python_tokens(std::string_view source) {
  std::string text(source);
  replace_all(text, "\r", "\n");
  return tokens_of(text, Names::told_apart, "#");
}

std::vector<std::string> html_tokens(std::string_view page) {
  std::vector<std::string> tokens;
  for (std::size_t at = page.find('<'); at != std::string_view::npos; at = page.find('<', at)) {
    const bool is_comment = page.substr(at, 4) == "<!--";
    const std::string_view close = is_comment ? "-->" : ">";
    const std::size_t end = std::min(page.find(close, at), page.size() - close.size()) + close.size();
    const std::string_view tag = page.substr(at, end - at);
    tokens.emplace_back(is_comment ? "comment" : tag);
    at = end;
    if (tag.substr(0, 7) != "<script") continue;
    const std::size_t script_end = std::min(page.find("</script", at), page.size());
    if (tag.find("application/json") != std::string_view::npos) {
      const auto inner = data_tokens(page.substr(at, script_end - at));
      tokens.insert(tokens.end(), inner.begin(), inner.end());
    }
    at = script_end;
  }
  return tokens;
}
