// What an expression comes to where its symbols have values. All functions may be called from several threads
// at once.
#pragma once

#include <cstdint>
#include <string>

#include "pt2/text/expression.h"
#include "schemagen/value/map.h"

namespace pt2 {

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

}  // namespace pt2
