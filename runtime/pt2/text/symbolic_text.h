// Symbolic expressions as text, with their symbols renamed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pt2 {

/// `text` with each Python identifier replaced by what `replace` gives; left as they are are attributes
/// (`.x`), keywords of calls (`x=`), and what is in quotes. `is_called`: a bracket follows.
std::string replace_identifiers(
    std::string_view text, const std::function<std::string(std::string_view name, bool is_called)>& replace);

/// A symbolic expression: sympy's srepr, e.g. `Add(Symbol('s0', integer=True), Integer(1))`, or plain text
/// such as `s0 + 1`.
class SymbolicText {
 public:
  /// Any text. An srepr that is malformed, nested or long beyond sense (4 KiB) is not looked into, but for
  /// its symbols.
  explicit SymbolicText(std::string_view text);

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
  struct Term {
    std::string text;  // of a call: its head; else the whole text
    bool is_call = false;
    std::vector<Term> operands;

    bool is_symbol() const;
    std::string_view symbol() const;
  };

  static std::optional<Term> parse(std::string_view text, std::size_t& at, std::size_t depth);
  static std::string order(Term& term, const NumberOf& number_of);
  static void for_each_symbol(const Term& term, const std::function<void(std::string_view)>& visit);
  static void append(std::string& out, const Term& term,
                     const std::function<std::string(std::string_view)>& new_name);

  std::optional<Term> term_;  // nullopt: plain text, or not looked into
  std::string text_;          // of that
};

}  // namespace pt2
