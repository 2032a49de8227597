// Prints and evaluates symbolic expressions, and represents them as polynomials (`24*s0**2 + 8`).
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

/// Returns readable text for an expression, such as SymExpr.expr_str. The argument can be an srepr or plain
/// text; see parse_expression(). For example, `Mul(Integer(4), Pow(Symbol('s48', positive=True,
/// integer=True), Integer(2)))` becomes `4*s48**2`.
///
/// The result uses Python's operators (`//`, `%`, `<=`, `and`). Functions without an operator remain calls,
/// e.g. `Max(s0, 2)`. Malformed text is returned as it is, but control characters and other unprintable
/// characters are always escaped. Source: sympy/printing/repr.py; torch/utils/_sympy/functions.py.
std::string expression_text(std::string_view expression);
std::string expression_text(const Expression& expression);

/// An expression's value: a number or a bool. Integers and rationals are exact, as in sympy.
struct ExpressionValue {
  enum class Kind { boolean, integer, rational, real };
  Kind kind = Kind::integer;
  std::int64_t numerator = 0;  // the numerator of an integer or rational; 0 or 1 for a bool
  /// The denominator of an integer or rational in lowest terms. It is positive, and greater than 1 if and
  /// only if `kind` is rational.
  std::int64_t denominator = 1;
  double real = 0;  // the value if `kind` is real; can be infinite

  /// Returns the value as Python or sympy spells it, e.g. `4`, `1/3`, `1.5` or `True`.
  std::string text() const;
};

/// Maps the names of symbols to their values. In guards, input accesses such as `L['x'].size()[0]` also count
/// as symbols.
using Bindings = schemagen::Map<std::int64_t>;

/// Evaluates `expression`. Integers and fractions are exact and limited to 64 bits. A result is real if an
/// operand is real, or if the function returns floats in PyTorch, as IntTrueDiv does. `//` and `%` round
/// toward minus infinity. Supports sympy's functions of real numbers and those in
/// torch/utils/_sympy/functions.py.
///
/// Throws DataError, with the faulty part of the expression, if a symbol has no value, if a divisor is zero,
/// if a number overflows 64 bits, if a result is not real (e.g. `sqrt(-1)`), if a bool is used as a number or
/// a number as a bool, or if a function is unknown.
ExpressionValue evaluate(const Expression& expression, const Bindings& bindings);

/// A sum of products of symbols with integer coefficients. Any other expression, e.g. `s0//2`, is treated as
/// a symbol whose name is the expression's text in parentheses.
///
/// Constructors and operators throw DataError if a coefficient overflows 64 bits or a product could have more
/// than 256 terms.
class Polynomial {
 public:
  Polynomial(std::int64_t number = 0);  // NOLINT(google-explicit-constructor): numbers are polynomials
  /// Creates the polynomial for `size`, with the values in `bindings` substituted for its symbols. Also
  /// throws whatever evaluate() throws.
  Polynomial(const SymInt& size, const Bindings& bindings);
  /// Returns a polynomial that is a single symbol. Any text can be its name.
  static Polynomial symbol(std::string name);

  using KnownTerm = std::function<std::optional<Polynomial>(const Expression& term)>;
  using SymbolName = std::function<std::string(const Expression& term)>;
  /// Returns `expression` with sums, products and powers up to 16 expanded. If `known` returns a polynomial
  /// for a term, that polynomial is used instead of expanding the term. Terms that are neither known nor
  /// expandable become symbols; `symbol_name` returns their names.
  static Polynomial expanded(const Expression& expression, const KnownTerm& known,
                             const SymbolName& symbol_name);

  Polynomial& operator+=(const Polynomial& other);
  Polynomial& operator*=(const Polynomial& other);
  friend Polynomial operator+(Polynomial a, const Polynomial& b) { return a += b; }
  friend Polynomial operator*(Polynomial a, const Polynomial& b) { return a *= b; }
  friend bool operator==(const Polynomial& a, const Polynomial& b) { return a.terms_ == b.terms_; }
  friend bool operator!=(const Polynomial& a, const Polynomial& b) { return !(a == b); }

  /// Returns the value, or nullopt if the polynomial contains symbols.
  std::optional<std::int64_t> number() const;

  /// A product of symbols: each symbol with its positive power, sorted by name. An empty product is 1.
  using Powers = std::vector<std::pair<std::string, int>>;
  /// Returns the distinct products with their nonzero coefficients.
  const std::map<Powers, std::int64_t>& terms() const noexcept { return terms_; }
  /// Adds a product of symbols, multiplied by `coefficient`. Throws DataError for the same reasons as the
  /// operators.
  void add(const Powers& powers, std::int64_t coefficient);

  /// Returns the polynomial in Python syntax, highest powers first, e.g. `2*s0*s1**2 + 8*s0 - 1`. Symbol
  /// names are escaped.
  std::string text() const;

 private:
  static Powers product(const Powers& a, const Powers& b);

  std::map<Powers, std::int64_t> terms_;  // no coefficient is 0
};

}  // namespace pt2
