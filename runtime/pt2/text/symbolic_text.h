// Symbolic expressions as text, with their symbols renamed.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "pt2/text/expression.h"

namespace pt2 {

/// Whether the operands of this function, in an srepr, have no order: `Add`, `Max`, ... sympy orders those
/// anew when torch loads a program. Not so the sides of `Equality`: torch takes `Eq(u0, 1)` for the symbol of
/// a bool (is_symbol_binding_fx_node in fx/passes/runtime_assert.py), and knows no `Eq(1, u0)`.
bool is_commutative(std::string_view head);

/// `text` with the symbols of an expression or of a guard replaced: each Python identifier that is called by
/// no bracket, no attribute (`.x`), keyword (`x=`) or constant, and in an srepr the names in `Symbol('s0')`.
/// What else is in quotes stays. Takes any text, well-formed or not.
std::string replace_symbols(std::string_view text,
                            const std::function<std::string(std::string_view symbol)>& replace);

/// A symbolic expression: sympy's srepr, e.g. `Add(Symbol('s0', integer=True), Integer(1))`, or plain text
/// such as `s0 + 1`.
class SymbolicText {
 public:
  /// Any text. An srepr that is malformed, nested or long beyond sense (4 KiB) is not looked into, but for
  /// its symbols.
  explicit SymbolicText(std::string_view text);

  /// The expression; null if it is plain text, or is not looked into.
  const Expression* term() const noexcept { return term_ ? &*term_ : nullptr; }

  /// The symbol that this is and nothing else; empty if there is more.
  std::string_view only_symbol() const;

  /// Calls `visit` with each symbol, in order.
  void for_each_symbol(const std::function<void(std::string_view symbol)>& visit) const;

  /// The number of a symbol; nullopt if it has none.
  using NumberOf = std::function<std::optional<std::size_t>(std::string_view symbol)>;

  /// Puts the operands of commutative functions in an order that does not depend on the names of symbols but
  /// on their numbers; those without come last. Whether that could be done: only an srepr has operands.
  bool order(const NumberOf& number_of);

  /// The text with symbols renamed.
  std::string text(const std::function<std::string(std::string_view symbol)>& new_name) const;

 private:
  std::optional<Expression> term_;  // nullopt: plain text, or not looked into
  std::string text_;                // of that
};

}  // namespace pt2
