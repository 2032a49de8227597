#include "pt2/text/tokens.h"

#include <algorithm>
#include <initializer_list>

#include "schemagen/base/ascii.h"

namespace pt2 {
namespace {

using schemagen::is_blank;
using schemagen::is_digit;
using schemagen::is_name_char;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

template <class IsOne>
std::size_t skip(std::string_view text, std::size_t at, const IsOne& is_one) {
  while (at < text.size() && is_one(text[at])) ++at;
  return at;
}

std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote) at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

std::size_t end_of_number(std::string_view text, std::size_t at) {
  at = skip(text, at, is_digit);
  if (text.substr(at, 1) == ".") at = skip(text, at + 1, is_digit);
  const std::string_view rest = text.substr(at, 3);
  const bool is_exponent =
      rest.size() == 3 && is_one_of(rest.substr(0, 2), {"e-", "e+", "E-", "E+"}) && is_digit(rest[2]);
  return skip(text, is_exponent ? at + 2 : at, is_name_char);
}

}  // namespace

Token next_token(std::string_view text, std::size_t offset) {
  const std::size_t start = skip(text, std::min(offset, text.size()), is_blank);
  const auto token = [&](Token::Kind kind, std::size_t end) {
    return Token{kind, text.substr(start, end - start), start};
  };
  if (start == text.size()) return token(Token::Kind::end, start);
  const char first = text[start];
  if (first == '\'' || first == '"') return token(Token::Kind::string, end_of_string(text, start));
  if (is_digit(first)) return token(Token::Kind::number, end_of_number(text, start));
  if (is_name_char(first)) return token(Token::Kind::name, skip(text, start, is_name_char));
  const bool is_double = is_one_of(text.substr(start, 2), {"**", "//", "<<", ">>", "<=", ">=", "==", "!="});
  return token(Token::Kind::sign, start + (is_double ? 2 : 1));
}

bool is_constant_name(std::string_view name) {
  return is_one_of(name,
                   {"oo", "int_oo", "zoo", "nan", "pi", "E", "I", "true", "false", "True", "False", "None"});
}

bool is_python_word(std::string_view name) {
  return is_one_of(name, {"and", "or", "not", "in", "is", "if", "else"});
}

}  // namespace pt2
