#pragma once

#include <cstddef>
#include <string_view>

namespace pt2 {

struct Token {
  enum class Kind { name, number, string, sign, end };
  Kind kind = Kind::end;
  std::string_view text;  // with the quotes of a string; empty at the end
  std::size_t offset = 0;
};

/// Returns the next token, after white space. Never fails: a string can be unclosed, a number can continue
/// with letters, and any other byte is a sign.
Token next_token(std::string_view text, std::size_t offset);

inline std::size_t end_of(const Token& token) noexcept {
  return token.offset + token.text.size();
}

/// Returns whether the name is a constant in sympy, PyTorch or Python, e.g. `E`, `oo` or `True`.
bool is_constant_name(std::string_view name);

/// Returns whether the name is a Python keyword such as `and` or `if`.
bool is_python_word(std::string_view name);

}  // namespace pt2
