#pragma once

#include <cstddef>
#include <optional>

#include "pt2/text/expression.h"

namespace pt2 {

/// Returns whether the operands of `head` (e.g. `Add` or `Max`) have no order in an srepr: sympy reorders
/// them when torch loads a program. Returns false for `Equality`, because torch treats `Eq(u0, 1)`, but not
/// `Eq(1, u0)`, as the symbol of a bool (is_symbol_binding_fx_node in fx/passes/runtime_assert.py).
bool is_commutative(std::string_view head);

/// Replaces the symbols in an expression or guard. Symbols are Python identifiers other than functions,
/// attributes (`.x`), keywords (`x=`) and constants, and the names in `Symbol('s0')`. Other quoted text does
/// not change. Accepts malformed text.
std::string replace_symbols(std::string_view text,
                            const std::function<std::string(std::string_view symbol)>& replace);

/// sympy's srepr, e.g. `Add(Symbol('s0', integer=True), Integer(1))`, or plain text such as `s0 + 1`.
class SymbolicText {
 public:
  /// Accepts any text. An srepr that is malformed, nested too deeply or longer than 4 KiB is treated as plain
  /// text.
  explicit SymbolicText(std::string_view text);

  const Expression* term() const noexcept { return term_ ? &*term_ : nullptr; }

  /// Returns the symbol, or an empty string if the text is not a single symbol.
  std::string_view only_symbol() const;

  void for_each_symbol(const std::function<void(std::string_view symbol)>& visit) const;

  using NumberOf = std::function<std::optional<std::size_t>(std::string_view symbol)>;

  /// Orders expressions by the numbers of their symbols instead of names; symbols without a number come last.
  /// Returns false for plain text.
  bool order(const NumberOf& number_of);

  std::string text(const std::function<std::string(std::string_view symbol)>& new_name) const;

 private:
  std::optional<Expression> term_;
  std::string text_;
};

}  // namespace pt2
