// Symbolic expressions as text whose symbols can be renamed.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "pt2/text/expression.h"

namespace pt2 {

/// Whether the function's operands in an srepr have no order: `Add`, `Max`, ... sympy reorders these when
/// torch loads a program. `Equality` does not count: torch treats `Eq(u0, 1)`, but not `Eq(1, u0)`, as the
/// symbol of a bool (is_symbol_binding_fx_node in fx/passes/runtime_assert.py).
bool is_commutative(std::string_view head);

/// Replaces the symbols in the text of an expression or guard: Python identifiers other than functions,
/// attributes
/// (`.x`), keywords (`x=`) and constants, and the names in `Symbol('s0')` of an srepr. Other quoted text is
/// unchanged. Accepts malformed text.
std::string replace_symbols(std::string_view text,
                            const std::function<std::string(std::string_view symbol)>& replace);

/// A symbolic expression: sympy's srepr, e.g. `Add(Symbol('s0', integer=True), Integer(1))`, or plain text
/// such as `s0 + 1`.
class SymbolicText {
 public:
  /// Accepts any text. An srepr that is malformed, nested too deeply or longer than 4 KiB is treated as plain
  /// text.
  explicit SymbolicText(std::string_view text);

  /// The expression; null for plain text.
  const Expression* term() const noexcept { return term_ ? &*term_ : nullptr; }

  /// The symbol if the text is a single one, otherwise empty.
  std::string_view only_symbol() const;

  /// Calls `visit` with each symbol, in order.
  void for_each_symbol(const std::function<void(std::string_view symbol)>& visit) const;

  /// Returns the number of a symbol, or nullopt.
  using NumberOf = std::function<std::optional<std::size_t>(std::string_view symbol)>;

  /// Sorts the operands of commutative functions by the numbers of their symbols instead of names; symbols
  /// without a number come last. Returns false for plain text, which cannot be sorted.
  bool order(const NumberOf& number_of);

  /// The text with symbols renamed.
  std::string text(const std::function<std::string(std::string_view symbol)>& new_name) const;

 private:
  std::optional<Expression> term_;  // nullopt for plain text
  std::string text_;                // the original text
};

}  // namespace pt2
