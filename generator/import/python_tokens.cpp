#include "import/python_tokens.h"

#include <algorithm>
#include <utility>

#include "schemagen/base/text_file.h"
#include "schemagen/base/utf8.h"
#include "text/characters.h"

namespace generator {
namespace {

using TokenKind = PythonToken::Kind;

bool begins_name(char c) {
  return is_name_start(c) || static_cast<unsigned char>(c) >= 0x80U;
}

bool continues_name(char c) {
  return is_name_char(c) || static_cast<unsigned char>(c) >= 0x80U;
}

/// Reads the escape sequence after a backslash and advances `at`. nullopt if it has no value in UTF-8.
std::optional<std::string> escaped(std::string_view text, std::size_t& at) {
  constexpr std::string_view kLetters = "abfnrtv\\'\"";
  constexpr std::string_view kValues = "\a\b\f\n\r\t\v\\'\"";
  const char letter = text[at++];
  if (letter == '\n') return "";
  if (const std::size_t known = kLetters.find(letter); known != std::string_view::npos)
    return std::string(1, kValues[known]);
  if (letter == 'N') return std::nullopt;
  const bool is_octal = letter >= '0' && letter <= '7';
  if (!is_octal && letter != 'x' && letter != 'u' && letter != 'U') return std::string("\\") + letter;
  if (is_octal) --at;
  const std::size_t most = is_octal ? 3 : letter == 'x' ? 2 : letter == 'u' ? 4 : 8;
  const std::string_view digits = is_octal ? "01234567" : "0123456789abcdef";
  std::uint32_t code = 0;
  std::size_t count = 0;
  for (; count < most && at < text.size(); ++count, ++at) {
    const std::size_t digit = digits.find(lower(text.substr(at, 1)));
    if (digit == std::string_view::npos) break;
    code = code * static_cast<std::uint32_t>(digits.size()) + static_cast<std::uint32_t>(digit);
  }
  const bool is_surrogate = code >= 0xd800U && code <= 0xdfffU;
  if ((!is_octal && count < most) || is_surrogate || code > 0x10ffffU) return std::nullopt;
  char utf8[schemagen::kLongestUtf8];
  return std::string(utf8, schemagen::put_utf8(code, utf8));
}

bool is_for_tools(std::string_view text) {
  static const Words tools = words_of({"type noqa pylint pyright fmt ruff isort"});
  const std::string_view word = text.substr(0, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"));
  const bool ends = word.size() == text.size() || !is_name_char(text[word.size()]);
  return text.substr(0, 5) == "pyre-" || (ends && tools.count(word) != 0);
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

struct PythonLexer {
  std::string_view source;
  Diagnostics& diagnostics;
  PythonTokens result{};
  std::vector<std::size_t> indents = {0};
  std::size_t position = 0;
  std::size_t line = 1;
  std::size_t line_start = 0;
  std::size_t depth = 0;
  bool at_line_start = true;

  std::optional<PythonTokens> run() {
    if (const std::string_view wide = schemagen::wide_encoding(source); !wide.empty())
      return diagnostics.error({1, 1, 1}, "the file is " + std::string(wide), "save it as UTF-8");
    while (position < source.size()) {
      if (at_line_start && depth == 0 && !read_indentation()) return std::nullopt;
      if (position < source.size() && !read_token()) return std::nullopt;
    }
    if (!at_line_start) add(TokenKind::line_end, position, "");
    for (; indents.size() > 1; indents.pop_back()) add(TokenKind::dedent, position, "");
    add(TokenKind::end, position, "");
    return std::move(result);
  }

  char peek(std::size_t offset = 0) const {
    return position + offset < source.size() ? source[position + offset] : '\0';
  }

  Span place(std::size_t at) const { return {line, at - line_start + 1, 1}; }

  void add(TokenKind kind, std::size_t from, std::string text) {
    result.tokens.push_back({kind, std::move(text), place(from)});
    at_line_start = kind == TokenKind::line_end;
  }

  bool fail(std::size_t at, const std::string& what) {
    return diagnostics.refuse(place(at), "not Python: " + what);
  }

  void end_line() {
    ++position;
    ++line;
    line_start = position;
  }

  bool read_indentation() {
    std::size_t columns = 0;
    for (; peek() == ' ' || peek() == '\t' || peek() == '\f'; ++position)
      columns = peek() == '\t' ? columns / 8 * 8 + 8 : columns + 1;
    if (position == source.size() || peek() == '\n' || peek() == '\r' || peek() == '#') return true;
    const bool was_line_start = at_line_start;
    if (columns > indents.back()) {
      indents.push_back(columns);
      add(TokenKind::indent, position, "");
    }
    for (; columns < indents.back(); indents.pop_back()) add(TokenKind::dedent, position, "");
    at_line_start = was_line_start;
    return columns == indents.back() || fail(position, "the indentation matches no line above");
  }

  bool read_token() {
    const char c = peek();
    if (c == '\n') {
      if (!at_line_start && depth == 0) add(TokenKind::line_end, position, "");
      end_line();
    } else if (c == ' ' || c == '\t' || c == '\f' || c == '\r') {
      ++position;
    } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      position += peek(1) == '\r' ? 2 : 1;
      end_line();
    } else if (c == '#') {
      read_comment();
    } else if (begins_name(c)) {
      return read_name();
    } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      read_number();
    } else if (c == '\'' || c == '"') {
      return read_string("");
    } else {
      return read_sign();
    }
    return true;
  }

  void read_comment() {
    const std::size_t end = std::min(source.find('\n', position), source.size());
    const std::string_view before = source.substr(line_start, position - line_start);
    const bool is_alone = before.find_first_not_of(" \t\f") == std::string_view::npos;
    result.comments[line] = {cleaned(source.substr(position, end - position)), is_alone};
    position = end;
  }

  bool read_name() {
    const std::size_t from = position;
    while (continues_name(peek())) ++position;
    const std::string name(source.substr(from, position - from));
    const bool is_prefix = name.size() <= 2 && lower(name).find_first_not_of("rbuft") == std::string::npos;
    if (is_prefix && (peek() == '\'' || peek() == '"')) return read_string(lower(name));
    add(TokenKind::name, from, name);
    return true;
  }

  void read_number() {
    const std::size_t from = position;
    const bool is_decimal =
        peek() != '0' || std::string_view("xXoObB").find(peek(1)) == std::string_view::npos;
    while (is_name_char(peek()) || peek() == '.' ||
           (is_decimal && (peek() == '+' || peek() == '-') && lower(source.substr(position - 1, 1)) == "e"))
      ++position;
    add(TokenKind::number, from, std::string(source.substr(from, position - from)));
  }

  bool read_string(std::string_view prefix) {
    const std::size_t from = position - prefix.size();
    const Span start = place(from);
    const char quote = peek();
    const bool is_long = peek(1) == quote && peek(2) == quote;
    const std::string end(is_long ? 3 : 1, quote);
    const bool is_raw = prefix.find('r') != std::string_view::npos;
    bool has_value = prefix.find_first_of("bft") == std::string_view::npos;
    std::string value;
    position += end.size();
    while (source.substr(position, end.size()) != end) {
      if (position == source.size() || (!is_long && peek() == '\n')) {
        return diagnostics.refuse(start, "not Python: unterminated string");
      }
      if (peek() != '\\' || position + 1 == source.size()) {
        value += peek();
        peek() == '\n' ? end_line() : static_cast<void>(++position);
        continue;
      }
      const std::size_t escape = position++;
      const bool ends_line = peek() == '\n';
      const std::optional<std::string> meant = escaped(source, position);
      if (ends_line) {
        --position;
        end_line();
      }
      if (!meant && !is_raw) has_value = false;
      if (is_raw) {
        value += source.substr(escape, position - escape);
      } else {
        value += meant.value_or("");
      }
    }
    position += end.size();
    result.tokens.push_back({has_value ? TokenKind::string : TokenKind::no_value, value, start});
    at_line_start = false;
    return true;
  }

  bool read_sign() {
    static const Words signs =
        words_of({"**= //= >>= <<= ... -> := ** // >> << <= >= == != += -= *= /= %= &= |= ^= @="});
    constexpr std::string_view kShort = "+-*/%@&|^~<>()[]{},:.;=!";
    const std::size_t from = position;
    std::size_t length = 1;
    for (const std::string_view sign : signs) {
      if (source.substr(position, sign.size()) == sign) length = std::max(length, sign.size());
    }
    if (kShort.find(peek()) == std::string_view::npos) return fail(position, "an unexpected character");
    if (std::string_view("([{").find(peek()) != std::string_view::npos) ++depth;
    if (std::string_view(")]}").find(peek()) != std::string_view::npos && depth > 0) --depth;
    position += length;
    add(TokenKind::sign, from, std::string(source.substr(from, length)));
    return true;
  }
};

}  // namespace

std::optional<PythonTokens> python_tokens(const std::string& text, Diagnostics& diagnostics) {
  return PythonLexer{text, diagnostics}.run();
}

std::string doc_of(const PythonComments& comments, std::size_t first, std::size_t last) {
  const auto is_alone_on = [&](std::size_t line) {
    const auto found = comments.find(line);
    return found != comments.end() && found->second.is_alone;
  };
  std::size_t above = first;
  while (is_alone_on(above - 1)) --above;
  std::string text;
  for (auto at = comments.lower_bound(above); at != comments.end() && at->first <= last; ++at) {
    const auto& [comment, is_alone] = at->second;
    if (is_alone == (at->first < first) && !comment.empty()) text += (text.empty() ? "" : " ") + comment;
  }
  return text;
}

}  // namespace generator
