// Sizes that may have symbols in them, to be computed with. All functions may be called from several threads
// at once. Several threads may read the same object at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "pt2/text/expression_value.h"
#include "pt2/text/polynomial.h"
#include "pt2/types.h"

namespace pt2 {

/// A whole number, or an expression of symbols: `2*s0 + 1`. Equal expressions are equal, whichever way they
/// came about, as far as sums and products go.
///
/// Errors of all that computes: DataError if a coefficient leaves 64 bits, or an expression has too many
/// terms.
class Size {
 public:
  Size(std::int64_t number = 0)
      : number_(number) {}  // NOLINT(google-explicit-constructor): a number is a size
  /// What a table of values holds. Errors: DataError of parse_expression().
  explicit Size(const SymInt& value);
  /// A symbol that is above 0, as torch has those of shapes.
  static Size symbol(std::string_view name);
  /// An expression that is not looked into.
  static Size of(const Expression& expression);

  /// Its value; nullopt if it has symbols.
  std::optional<std::int64_t> number() const noexcept {
    return symbolic_ == nullptr ? std::optional<std::int64_t>(number_) : std::nullopt;
  }
  bool is(std::int64_t value) const noexcept { return symbolic_ == nullptr && number_ == value; }

  /// As a table of values holds it, with its value where `hints` has all of its symbols.
  SymInt sym_int(const Bindings& hints) const;
  /// Its value by `hints`; nullopt if they do not have all of its symbols.
  std::optional<std::int64_t> hint(const Bindings& hints) const;
  /// As sympy's srepr.
  std::string srepr() const;

  friend Size operator+(const Size& a, const Size& b);
  friend Size operator-(const Size& a, const Size& b);
  friend Size operator*(const Size& a, const Size& b);
  friend bool operator==(const Size& a, const Size& b);
  friend bool operator!=(const Size& a, const Size& b) { return !(a == b); }

  /// `a // b`, rounded to minus infinity. Errors: UsageError if `b` is 0.
  friend Size floor_div(const Size& a, const Size& b);
  /// The size that `b` times is `a`; nullopt if there is none, or none can be found.
  friend std::optional<Size> quotient(const Size& a, const Size& b);

 private:
  explicit Size(const Polynomial& sum);
  Polynomial sum() const { return symbolic_ == nullptr ? Polynomial(number_) : *symbolic_; }

  std::int64_t number_ = 0;
  std::shared_ptr<const Polynomial> symbolic_;  // its symbols are sreprs; null: a number
};

}  // namespace pt2
