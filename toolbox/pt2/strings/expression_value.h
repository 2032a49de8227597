// Symbolic expressions: readable text, evaluation, polynomials (`24*s0**2 + 8`), and guards, which are
// conditions on a program's inputs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/text/expression.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// Returns readable text for SymExpr.expr_str, in either form:
/// `Mul(Integer(4), Pow(Symbol('s48', positive=True, integer=True), Integer(2)))` gives `4*s48**2`.
///
/// Operators are Python's (`//`, `%`, `<=`, `and`); other functions keep their form, `Max(s0, 2)`. Malformed
/// text is returned unchanged except for escapes. Source: sympy/printing/repr.py;
/// torch/utils/_sympy/functions.py.
std::string expression_text(std::string_view expression);
std::string expression_text(const Expression& expression);

/// A number or a bool, as exact as in sympy.
struct ExpressionValue {
  enum class Kind { boolean, integer, rational, real };
  Kind kind = Kind::integer;
  std::int64_t numerator = 0;    // of integers and rationals; 0 or 1 for bools
  std::int64_t denominator = 1;  // positive, in lowest terms; above 1 for Kind::rational
  double real = 0;               // for Kind::real; may be infinite

  /// Returns Python's spelling: `4`, `1/3`, `1.5`, `True`.
  std::string text() const;
};

/// Values of symbols by name; in guards, values of input accesses: `L['x'].size()[0]`.
using Bindings = schemagen::Map<std::int64_t>;

/// Evaluates `expression`. Integers and fractions are exact, in 64 bits. The result is real if an operand is
/// real, or if the function returns floats in PyTorch, e.g. IntTrueDiv. `//` and `%` round toward minus
/// infinity. Supports sympy's functions of real numbers and torch/utils/_sympy/functions.py.
///
/// Throws DataError with the faulty part of the expression if a symbol has no value, on division by zero, on
/// 64-bit overflow, if a result is not real (`sqrt(-1)`), for a bool instead of a number or vice versa, and
/// for an unknown function.
ExpressionValue evaluate(const Expression& expression, const Bindings& bindings);

/// A sum of products of symbols with integer coefficients. Any other expression (`s0//2`) counts as a symbol
/// named by its text in parentheses.
///
/// Constructors and operators throw DataError if a coefficient overflows 64 bits or a product could have more
/// than 256 terms.
class Polynomial {
 public:
  Polynomial(std::int64_t number = 0);  // NOLINT(google-explicit-constructor): numbers are polynomials
  /// Replaces the symbols in `bindings` with their values. Also throws the errors of evaluate().
  Polynomial(const SymInt& size, const Bindings& bindings);
  /// Returns a symbol. `name` may be any text.
  static Polynomial symbol(std::string name);

  using KnownTerm = std::function<std::optional<Polynomial>(const Expression& term)>;
  using SymbolName = std::function<std::string(const Expression& term)>;
  /// Returns `expression` with sums, products and powers up to 16 expanded. `known` returns the terms that
  /// must not be expanded; other terms become symbols with the name that `symbol_name` returns.
  static Polynomial expanded(const Expression& expression, const KnownTerm& known,
                             const SymbolName& symbol_name);

  Polynomial& operator+=(const Polynomial& other);
  Polynomial& operator*=(const Polynomial& other);
  friend Polynomial operator+(Polynomial a, const Polynomial& b) { return a += b; }
  friend Polynomial operator*(Polynomial a, const Polynomial& b) { return a *= b; }
  friend bool operator==(const Polynomial& a, const Polynomial& b) { return a.terms_ == b.terms_; }
  friend bool operator!=(const Polynomial& a, const Polynomial& b) { return !(a == b); }

  /// Returns the value; nullopt if there are symbols.
  std::optional<std::int64_t> number() const;

  /// Symbols with their positive powers, sorted by name. Empty for the number 1.
  using Powers = std::vector<std::pair<std::string, int>>;
  /// Returns the distinct products with their nonzero coefficients.
  const std::map<Powers, std::int64_t>& terms() const noexcept { return terms_; }
  /// Adds a product. Throws the same errors as the operators.
  void add(const Powers& powers, std::int64_t coefficient);

  /// Returns Python's spelling, highest powers first: `2*s0*s1**2 + 8*s0 - 1`. Names of symbols are escaped.
  std::string text() const;

 private:
  static Polynomial of(const Expression& expression, const Bindings& bindings);
  static Powers product(const Powers& a, const Powers& b);

  std::map<Powers, std::int64_t> terms_;  // no coefficient is 0
};

/// A condition that torch checks before it runs a program. It is a Python expression: `(L['x'].size()[0] //
/// 2) != 1 and L['x'].size()[0] <= 16`.
struct Guard {
  std::string text;                // verbatim
  std::vector<Expression> terms;   // which must all hold; empty if the text is malformed
  std::vector<std::string> names;  // distinct input accesses, `L['x'].size()[0]`, in order
  std::string error;               // why the text is malformed, with the byte offset; otherwise empty
};

/// Reads a guard with parse_expression(). Accepts any text. To evaluate a term, call evaluate().
Guard read_guard(std::string text);

/// Returns a condition as torch's guards spell it: `(s0 // 2) != 1`. If torch wrote a guard over integers,
/// reading it and writing its terms, joined by And, gives the same bytes. Source: PythonPrinter in
/// torch/utils/_sympy/printers.py.
std::string guard_text(const Expression& condition);

/// Does the same for all terms of a guard; returns the original text if it is malformed.
std::string guard_text(const Guard& guard);

}  // namespace pt2
