// What the results of a node are, from what it is given; types of values, and sizes that may have symbols in
// them, to be computed with. All functions may be called from several threads at once. Several threads may
// read the same object at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pt2/operators/operators.h"
#include "pt2/strings/expression_value.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

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
  explicit Size(Polynomial sum);
  Polynomial sum() const { return symbolic_ == nullptr ? Polynomial(number_) : *symbolic_; }

  std::int64_t number_ = 0;
  std::shared_ptr<const Polynomial> symbolic_;  // its symbols are sreprs; null: a number
};

/// Sizes by the texts that the tables of a program have for them. Each is read once: a program has few, in
/// many places. For one thread at a time.
class SizeTexts {
 public:
  /// Errors: DataError of parse_expression().
  Size size(const SymInt& value);

 private:
  schemagen::Map<Size> read_;
};

/// What is known of a tensor besides its data.
struct TensorType {
  ScalarType dtype = ScalarType::UNKNOWN;
  std::vector<Size> sizes;    // one for each dimension; empty: a scalar
  std::vector<Size> strides;  // the same, in elements
  Size offset;                // of the first element in its storage
  Device device;
  bool requires_grad = false;
  Layout layout = Layout::Strided;

  TensorType() = default;
  /// One whose elements lie in row-major order.
  TensorType(ScalarType dtype, std::vector<Size> sizes, Device device = {"cpu", {}});
  /// Errors: DataError of parse_expression().
  explicit TensorType(const TensorMeta& meta);
  TensorType(const TensorMeta& meta, SizeTexts& texts);

  /// As a table holds it. `hints`: the values of symbols for which it says what they come to.
  TensorMeta meta(const Bindings& hints = {}) const;
};

/// What one result of an operator is: None, a tensor, a list of them, or a number or truth value that may be
/// symbolic.
using ValueType =
    std::variant<std::monostate, TensorType, std::vector<TensorType>, SymInt, SymFloat, SymBool>;

/// The strides of a tensor whose elements lie in row-major order. A size of 0 counts as 1, as in torch.
std::vector<Size> row_major_strides(const std::vector<Size>& sizes);

/// The product of the sizes.
Size element_count(const std::vector<Size>& sizes);

/// What torch.autocast says of the nodes of a graph: on which devices operators that may compute in a smaller
/// dtype do, and in which.
struct Autocast {
  std::string device_type;                 // `cpu`, `cuda`
  ScalarType dtype = ScalarType::UNKNOWN;  // UNKNOWN: it says nothing
};

/// The same of the subgraphs of `node`, which stands in a graph of which `around` is said: something else if
/// the node is a call of wrap_with_autocast.
Autocast autocast_within(const Node& node, const Autocast& around);

/// The values of symbols for sample inputs, as the tables of `graph` have them.
Bindings hints_of(const Graph& graph);

/// The types of the results of `node`, a call of `op` with values of `graph`: one for each that the operator
/// returns, as PyTorch's fake tensors have them on a CPU, strides included, but for those of dims of size 1;
/// nullopt if this operator has no rule here. Rules are there for what computes element by element with
/// broadcasting and promotion of dtypes, for views, reductions, products, convolutions, pooling, norms,
/// operators that make tensors, recurrent layers, decompositions of matrices, Fourier transforms,
/// quantization, and arithmetic of symbolic numbers; for operators that write to what they return; for cond,
/// map, while_loop and what runs a subgraph in another mode. `hints`: values of symbols, by which it is
/// decided which of two symbolic strides is the larger one. `autocast`: what autocast_within() says of the
/// graph. `texts`: those that were read for other nodes of the program; null: none.
///
/// Errors: DataError if what is given does not go together, as shapes that cannot be broadcast, or the result
/// has a size that cannot be told without knowing symbols.
std::optional<std::vector<ValueType>> infer_results(const Node& node, const Operator& op, const Graph& graph,
                                                    const Bindings& hints, const Autocast& autocast = {},
                                                    SizeTexts* texts = nullptr);

}  // namespace pt2
