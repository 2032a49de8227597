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
    call,      // a head and operands
    constant,  // a bare name, possibly signed: `oo`, `-int_oo`, `True`
    number,    // an integer, as operand of Integer, Rational or a keyword
    string,    // as operand of Symbol, Float or a keyword
  };
  Kind kind = Kind::constant;
  std::string text;     // head, name, digits, or the string without its quotes
  std::string keyword;  // `precision` in `precision=53`; empty for a positional operand
  std::vector<Expression> operands;

  bool is_call(std::string_view head) const noexcept { return kind == Kind::call && text == head; }
  /// Returns the name of a symbol, such as `s0`; empty if this is not a symbol.
  std::string_view symbol() const noexcept;
  /// Returns the digits of an integer, such as `-4`; null if this is not an integer.
  const std::string* integer() const noexcept;
};

/// Parses the text in `SymExpr.expr_str`, `range_constraints` and `guards_code`: an srepr, or plain text
/// (sympy's str or a Python expression). Both give the same tree: `2*s0 + 1` is `Add(Mul(Integer(2),
/// Symbol('s0')), Integer(1))`. As in sympy, one form may contain the other.
///
/// In plain text, operators are Python's: `a - b` is `Add(a, Mul(Integer(-1), b))`, `a/b` is `Mul(a, Pow(b,
/// Integer(-1)))`, `//` FloorDiv, `%` PythonMod, `&` BitwiseFn_bitwise_and, `and` And, `a if c else b`
/// Where(c, a, b), `(a, b)` Tuple(a, b). `Eq`, `Ne`, `Gt`, `Ge`, `Lt` and `Le` are relations. A name is a
/// symbol. In a guard, so is a whole access to an input: `L['x'].size()[0]`. Nothing is simplified.
///
/// Throws DataError with a byte offset if the text is malformed, longer than 64 KiB, nested deeper than 200,
/// or has more than 1000 operators besides long sums and products. Source: sympy/printing/repr.py and str.py,
/// torch/utils/_sympy/functions.py.
Expression parse_expression(std::string_view text);

/// Returns sympy's srepr. Parsing an srepr and writing it again gives the same bytes.
std::string srepr(const Expression& expression);

/// Calls `visit` with the name of each occurrence of a symbol, from left to right.
void for_each_symbol(const Expression& expression, const std::function<void(std::string_view)>& visit);

}  // namespace pt2
