// Parses symbolic expressions in either of the forms that torch writes.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pt2 {

/// A term of an expression, such as `Add(Symbol('s0', integer=True), Integer(1))` in sympy's srepr.
struct Expression {
  enum class Kind {
    call,      // a head with operands in parentheses
    constant,  // a bare name, possibly signed, e.g. `oo`, `-int_oo` or `True`
    number,    // an integer that is an operand of Integer or Rational, or a keyword's value
    string,    // a string that is an operand of Symbol or Float, or a keyword's value
  };
  Kind kind = Kind::constant;
  std::string text;     // the head, name or digits, or the string without its quotes
  std::string keyword;  // e.g. `precision` in `precision=53`; empty for a positional operand
  std::vector<Expression> operands;

  bool is_call(std::string_view head) const noexcept { return kind == Kind::call && text == head; }
  /// Returns the symbol's name, e.g. `s0`, or an empty string if this is not a symbol.
  std::string_view symbol() const noexcept;
  /// Returns the integer's digits, e.g. `-4`, or null if this is not an integer.
  const std::string* integer() const noexcept;
};

/// Parses an expression from `SymExpr.expr_str`, `range_constraints` or `guards_code`. The text can be
/// sympy's srepr or plain text, i.e. sympy's str or a Python expression. Both forms produce the same tree.
/// For example, `2*s0 + 1` produces `Add(Mul(Integer(2), Symbol('s0')), Integer(1))`. As in sympy, either
/// form can contain the other.
///
/// Plain text uses Python's operators, which become calls:
/// * `a - b` becomes `Add(a, Mul(Integer(-1), b))`, and `a/b` becomes `Mul(a, Pow(b, Integer(-1)))`;
/// * `//` becomes FloorDiv, `%` becomes PythonMod, `&` becomes BitwiseFn_bitwise_and, and `and` becomes And;
/// * `a if c else b` becomes `Where(c, a, b)`, and `(a, b)` becomes `Tuple(a, b)`;
/// * comparisons and calls to `Eq`, `Ne`, `Gt`, `Ge`, `Lt` and `Le` become relations, so `a == b` and
///   `Eq(a, b)` both become `Equality(a, b)`.
///
/// A name becomes a symbol. In a guard, an input access such as `L['x'].size()[0]` becomes a single symbol.
/// Nothing is simplified.
///
/// Throws DataError with a byte offset if the text is malformed, is longer than 64 KiB, is nested deeper than
/// 200 levels, or has more than 1000 operators (a long sum or product counts as one). Source:
/// sympy/printing/repr.py and str.py, torch/utils/_sympy/functions.py.
Expression parse_expression(std::string_view text);

/// How tightly Python's operators bind, from loose to tight.
enum Binding {
  kLogicalOrBinding,
  kLogicalAndBinding,
  kLogicalNotBinding,
  kRelationBinding,
  kOrBinding,
  kXorBinding,
  kAndBinding,
  kShiftBinding,
  kAdditiveBinding,
  kMultiplicativeBinding,
  kSignBinding,
  kPowerBinding,
  kAtomBinding
};

struct BinaryOperator {
  std::string_view sign;
  Binding binding;
  std::string_view head;
};

/// A sign is parsed as the first head that it has here.
inline constexpr BinaryOperator kBinaryOperators[] = {
    {"or", kLogicalOrBinding, "Or"},
    {"and", kLogicalAndBinding, "And"},
    {"==", kRelationBinding, "Equality"},
    {"!=", kRelationBinding, "Unequality"},
    {">=", kRelationBinding, "GreaterThan"},
    {"<=", kRelationBinding, "LessThan"},
    {">", kRelationBinding, "StrictGreaterThan"},
    {"<", kRelationBinding, "StrictLessThan"},
    {"|", kOrBinding, "BitwiseFn_bitwise_or"},
    {"^", kXorBinding, "BitwiseFn_bitwise_xor"},
    {"&", kAndBinding, "BitwiseFn_bitwise_and"},
    {"<<", kShiftBinding, "LShift"},
    {">>", kShiftBinding, "RShift"},
    {"+", kAdditiveBinding, "Add"},
    {"-", kAdditiveBinding, "Add"},
    {"*", kMultiplicativeBinding, "Mul"},
    {"/", kMultiplicativeBinding, "Mul"},
    {"//", kMultiplicativeBinding, "FloorDiv"},
    {"//", kMultiplicativeBinding, "CleanDiv"},
    {"%", kMultiplicativeBinding, "PythonMod"},
    {"%", kMultiplicativeBinding, "Mod"},
    {"/", kMultiplicativeBinding, "IntTrueDiv"},
    {"/", kMultiplicativeBinding, "FloatTrueDiv"},
    {"**", kPowerBinding, "PowByNatural"},
    {"**", kPowerBinding, "FloatPow"},
};

/// Returns the expression in sympy's srepr form. Parsing an srepr and passing the result to this function
/// reproduces the same bytes.
std::string srepr(const Expression& expression);

/// Calls `visit` with the name of each occurrence of a symbol, from left to right.
void for_each_symbol(const Expression& expression, const std::function<void(std::string_view)>& visit);

}  // namespace pt2
