// Symbolic expressions, read from both forms in which torch writes them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pt2 {

/// A part of an expression, as sympy's srepr writes it: `Add(Symbol('s0', integer=True), Integer(1))`.
struct Expression {
  enum class Kind {
    call,      // a head and operands
    constant,  // a name alone, maybe with its sign: `oo`, `-int_oo`, `True`
    number,    // whole, an operand of Integer, Rational or a keyword
    string,    // an operand of Symbol, Float or a keyword
  };
  Kind kind = Kind::constant;
  std::string text;     // head, name, digits, or the string without its quotes
  std::string keyword;  // `precision` of `precision=53`; empty: by position
  std::vector<Expression> operands;

  bool is_call(std::string_view head) const noexcept { return kind == Kind::call && text == head; }
  /// The name of a symbol, `s0`; empty if this is not a symbol.
  std::string_view symbol() const noexcept;
  /// The digits of an integer, `-4`; null if this is not an integer.
  const std::string* integer() const noexcept;
};

/// Reads what `SymExpr.expr_str`, `range_constraints` and `guards_code` hold: an srepr, or plain text, which
/// is sympy's str or a Python expression, and gives the same tree: `2*s0 + 1` is
/// `Add(Mul(Integer(2), Symbol('s0')), Integer(1))`. As sympy does, it takes one form inside of the other.
///
/// Of plain text: the operators are Python's, `a - b` is `Add(a, Mul(Integer(-1), b))`, `a/b` is
/// `Mul(a, Pow(b, Integer(-1)))`, `//` FloorDiv, `%` PythonMod, `&` BitwiseFn_bitwise_and, `and` And,
/// `a if c else b` Where(c, a, b), `(a, b)` Tuple(a, b). `Eq`, `Ne`, `Gt`, `Ge`, `Lt`, `Le` are the relations
/// that they stand for. A name is a symbol; so is, whole, what a guard asks of an input:
/// `L['x'].size()[0]`. Nothing is simplified.
///
/// Errors: DataError with a byte offset, if it is neither, longer than 64 KiB, nested deeper than 200, or has
/// more than 1000 operators besides those of long sums and products.
/// Source: sympy/printing/repr.py and str.py, torch/utils/_sympy/functions.py.
Expression parse_expression(std::string_view text);

/// As sympy's srepr writes it. Of what was read from such a text, the same bytes.
std::string srepr(const Expression& expression);

/// Calls `visit` with the name of each symbol, from left to right, as often as it occurs.
void for_each_symbol(const Expression& expression, const std::function<void(std::string_view)>& visit);

}  // namespace pt2
