// Parses symbolic expressions in both forms that torch writes.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pt2 {

/// A term of an expression, as in sympy's srepr: `Add(Symbol('s0', integer=True), Integer(1))`.
struct Expression {
  enum class Kind {
    call,      // a head with operands in parentheses
    constant,  // a bare name, possibly signed: `oo`, `-int_oo`, `True`
    number,    // an integer that is an operand of Integer or Rational, or a keyword's value
    string,    // a string that is an operand of Symbol or Float, or a keyword's value
  };
  Kind kind = Kind::constant;
  std::string text;     // the head, name or digits, or the string without its quotes
  std::string keyword;  // `precision` in `precision=53`; empty for a positional operand
  std::vector<Expression> operands;

  bool is_call(std::string_view head) const noexcept { return kind == Kind::call && text == head; }
  /// Returns the symbol's name, e.g. `s0`, or an empty string if this is not a symbol.
  std::string_view symbol() const noexcept;
  /// Returns the integer's digits, e.g. `-4`, or null if this is not an integer.
  const std::string* integer() const noexcept;
};

/// Parses an expression from `SymExpr.expr_str`, `range_constraints` or `guards_code`. These use sympy's
/// srepr, or plain text (sympy's str or a Python expression). Both forms give the same tree: for example,
/// `2*s0 + 1` gives `Add(Mul(Integer(2), Symbol('s0')), Integer(1))`. As in sympy, one form can contain the
/// other.
///
/// Plain text uses Python's operators: `a - b` becomes `Add(a, Mul(Integer(-1), b))`, `a/b` becomes `Mul(a,
/// Pow(b, Integer(-1)))`, `//` becomes FloorDiv, `%` PythonMod, `&` BitwiseFn_bitwise_and, `and` And, `a if c
/// else b` Where(c, a, b), and `(a, b)` Tuple(a, b). Calls of `Eq`, `Ne`, `Gt`, `Ge`, `Lt` and `Le` become
/// relations, like the operators: `Eq(a, b)` and `a == b` both become `Equality(a, b)`. A name becomes a
/// symbol. In a guard, a whole input access such as `L['x'].size()[0]` also becomes one symbol. Nothing is
/// simplified.
///
/// Throws DataError with a byte offset if the text is malformed, is longer than 64 KiB, is nested deeper than
/// 200 levels, or has more than 1000 operators, not counting long sums and products. Source:
/// sympy/printing/repr.py and str.py, torch/utils/_sympy/functions.py.
Expression parse_expression(std::string_view text);

/// Returns the expression as sympy's srepr. Parsing an srepr and writing it again gives the same bytes.
std::string srepr(const Expression& expression);

/// Calls `visit` with the name of each occurrence of a symbol, from left to right.
void for_each_symbol(const Expression& expression, const std::function<void(std::string_view)>& visit);

}  // namespace pt2
