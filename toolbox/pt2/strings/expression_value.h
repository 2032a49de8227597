// Symbolic expressions: as text for people, what they come to where their symbols have values, as sums of
// products (`24*s0**2 + 8`), and as conditions on a program's inputs (guards_code).
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

/// Readable text of an expression as it stands in SymExpr.expr_str, in either form:
/// `Mul(Integer(4), Pow(Symbol('s48', positive=True, integer=True), Integer(2)))` gives `4*s48**2`.
///
/// Operators are Python's (`//`, `%`, `<=`, `and`); functions without one keep their form, `Max(s0, 2)`. Text
/// that cannot be read as an expression stays as it is, but printable. Source: sympy/printing/repr.py;
/// torch/utils/_sympy/functions.py (PyTorch).
std::string expression_text(std::string_view expression);
std::string expression_text(const Expression& expression);

/// A number or a truth value, as exact as sympy has it.
struct ExpressionValue {
  enum class Kind { boolean, integer, rational, real };
  Kind kind = Kind::integer;
  std::int64_t numerator = 0;    // of integers and rationals; 0 or 1 of truth values
  std::int64_t denominator = 1;  // above 0; in lowest terms, so that that of a rational is above 1
  double real = 0;               // of Kind::real; may be infinite

  /// As Python shows it: `4`, `1/3`, `1.5`, `True`.
  std::string text() const;
};

/// Values of symbols, by name; of guards, by what they ask of an input: `L['x'].size()[0]`.
using Bindings = schemagen::Map<std::int64_t>;

/// The value of `expression`. Whole numbers and fractions are exact, in 64 bits; a real operand makes the
/// result real, and so do the functions that do in PyTorch, e.g. IntTrueDiv. `//` and `%` round to minus
/// infinity. Functions: sympy's of real numbers, and those of torch/utils/_sympy/functions.py.
///
/// Errors: DataError with the part of the expression that it is about: a symbol without a value, division by
/// zero, more than 64 bits, a result that is not a real number (`sqrt(-1)`), a truth value in place of a
/// number or the other way round, a function that is not known.
ExpressionValue evaluate(const Expression& expression, const Bindings& bindings);

/// A sum of products of symbols with whole coefficients. Any other expression (`s0//2`) counts as a symbol,
/// named by its text in parentheses.
///
/// Errors of the constructors and operators: DataError if a coefficient leaves 64 bits, or a product could
/// have more than 256 terms.
class Polynomial {
 public:
  Polynomial(std::int64_t number = 0);  // NOLINT(google-explicit-constructor): numbers are polynomials
  /// `size`, of whose symbols those in `bindings` have values. Errors: also those of evaluate().
  Polynomial(const SymInt& size, const Bindings& bindings);
  /// That symbol, once, whatever its name.
  static Polynomial symbol(std::string name);

  using KnownTerm = std::function<std::optional<Polynomial>(const Expression& term)>;
  using SymbolName = std::function<std::string(const Expression& term)>;
  /// Expands sums, products and powers with an exponent up to 16. `known` returns the terms that are not to
  /// be expanded; other terms become symbols with the name that `symbol_name` returns.
  static Polynomial expanded(const Expression& expression, const KnownTerm& known,
                             const SymbolName& symbol_name);

  Polynomial& operator+=(const Polynomial& other);
  Polynomial& operator*=(const Polynomial& other);
  friend Polynomial operator+(Polynomial a, const Polynomial& b) { return a += b; }
  friend Polynomial operator*(Polynomial a, const Polynomial& b) { return a *= b; }
  friend bool operator==(const Polynomial& a, const Polynomial& b) { return a.terms_ == b.terms_; }
  friend bool operator!=(const Polynomial& a, const Polynomial& b) { return !(a == b); }

  /// Its value; nullopt if it has symbols.
  std::optional<std::int64_t> number() const;

  /// Symbols with their powers, which are above 0, by name. Empty: the number 1.
  using Powers = std::vector<std::pair<std::string, int>>;
  /// The products, each once, with their coefficients, of which none is 0.
  const std::map<Powers, std::int64_t>& terms() const noexcept { return terms_; }
  /// Adds a product. Errors: as those of the operators.
  void add(const Powers& powers, std::int64_t coefficient);

  /// As Python writes it, the highest powers first: `2*s0*s1**2 + 8*s0 - 1`. Printable, whatever the symbols
  /// are called.
  std::string text() const;

 private:
  static Polynomial of(const Expression& expression, const Bindings& bindings);
  static Powers product(const Powers& a, const Powers& b);

  std::map<Powers, std::int64_t> terms_;  // no coefficient is 0
};

/// A condition that torch checks before it runs a program, a Python expression:
/// `(L['x'].size()[0] // 2) != 1 and L['x'].size()[0] <= 16`.
struct Guard {
  std::string text;                // verbatim
  std::vector<Expression> terms;   // which all have to hold; empty: the text could not be read
  std::vector<std::string> names;  // what it asks of the inputs, `L['x'].size()[0]`: each once, in order
  std::string error;               // why it could not be read, with the byte; empty: it could
};

/// Takes any text. For what can be read see parse_expression(); evaluate() gives the value of a term.
Guard read_guard(std::string text);

/// A condition in the spelling of torch's guards, `(s0 // 2) != 1`. Of the terms of a guard that torch wrote
/// over whole numbers, joined as a call of And, the same bytes. Source: torch/utils/_sympy/printers.py,
/// PythonPrinter.
std::string guard_text(const Expression& condition);

/// The same of all terms of a guard; its text if it could not be read.
std::string guard_text(const Guard& guard);

}  // namespace pt2
