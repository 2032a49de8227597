// Words of an expression's text: what sympy's srepr, its plain text and Python's guards have in common.
#pragma once

#include <cstddef>
#include <string_view>

namespace pt2 {

struct Token {
  enum class Kind { name, number, string, sign, end };
  Kind kind = Kind::end;
  std::string_view text;   // of a string: with its quotes; of the end: empty
  std::size_t offset = 0;  // in bytes
};

/// The first token of `text` at or after `offset`, past white space. Any text has tokens: a string may be
/// unclosed, a number may go on with letters, and what is nothing else is a sign of one byte.
Token next_token(std::string_view text, std::size_t offset);

inline std::size_t end_of(const Token& token) noexcept {
  return token.offset + token.text.size();
}

/// Names that stand for no symbol: constants of sympy, PyTorch and Python. `E`, `oo`, `True`
bool is_constant_name(std::string_view name);

/// Python's words that stand in expressions: `and`, `if`.
bool is_python_word(std::string_view name);

}  // namespace pt2
