// Sizes and counts with symbols in them: `24*s0**2 + 8`. Several threads may read the same object at
// once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pt2/text/expression_value.h"
#include "pt2/types.h"

namespace pt2 {

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

}  // namespace pt2
