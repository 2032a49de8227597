// Types of values with symbolic sizes, and inference of the types of a node's results.
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

/// An integer or an expression of symbols: `2*s0 + 1`. Expressions are compared after expanding sums and
/// products.
///
/// Arithmetic throws DataError if a coefficient overflows 64 bits or an expression has too many terms.
class Size {
 public:
  Size(std::int64_t number = 0)
      : number_(number) {}  // NOLINT(google-explicit-constructor): a number can be passed as a size
  /// Throws DataError if the expression cannot be parsed.
  explicit Size(const SymInt& value);
  /// Returns a positive integer symbol, like those that torch uses for sizes.
  static Size symbol(std::string_view name);
  static Size of(const Expression& expression);

  /// Returns the value; nullopt if there are symbols.
  std::optional<std::int64_t> number() const noexcept {
    return symbolic_ == nullptr ? std::optional<std::int64_t>(number_) : std::nullopt;
  }
  bool is(std::int64_t value) const noexcept { return symbolic_ == nullptr && number_ == value; }

  /// Returns the form used in programs, with a hint if `hints` has all symbols.
  SymInt sym_int(const Bindings& hints) const;
  /// Returns the value for these hints; nullopt if a symbol has none.
  std::optional<std::int64_t> hint(const Bindings& hints) const;
  /// Returns sympy's srepr.
  std::string srepr() const;

  friend Size operator+(const Size& a, const Size& b);
  friend Size operator-(const Size& a, const Size& b);
  friend Size operator*(const Size& a, const Size& b);
  friend bool operator==(const Size& a, const Size& b);
  friend bool operator!=(const Size& a, const Size& b) { return !(a == b); }

  /// Returns `a // b`, rounded toward minus infinity. Throws DataError if `b` is 0.
  friend Size floor_div(const Size& a, const Size& b);
  /// Returns the exact quotient; nullopt if there is none or it cannot be determined.
  friend std::optional<Size> quotient(const Size& a, const Size& b);

 private:
  explicit Size(Polynomial sum);
  Polynomial sum() const { return symbolic_ == nullptr ? Polynomial(number_) : *symbolic_; }

  std::int64_t number_ = 0;
  std::shared_ptr<const Polynomial> symbolic_;  // symbols are sreprs; null for a number
};

/// Caches parsed sizes by their text, because a program repeats a few expressions many times.
class SizeTexts {
 public:
  /// Throws DataError if the expression cannot be parsed.
  Size size(const SymInt& value);

 private:
  schemagen::Map<Size> read_;
};

/// The dtype, sizes, strides, offset, device and layout of a tensor.
struct TensorType {
  ScalarType dtype = ScalarType::UNKNOWN;
  std::vector<Size> sizes;    // one per dim; empty for a scalar
  std::vector<Size> strides;  // one per dim, in elements
  Size offset;                // of the first element in the storage, in elements
  Device device;
  bool requires_grad = false;
  Layout layout = Layout::Strided;

  TensorType() = default;
  /// Makes a row-major tensor type.
  TensorType(ScalarType dtype, std::vector<Size> sizes, Device device = {"cpu", {}});
  /// Throws DataError if an expression cannot be parsed, or the numbers of sizes and strides differ.
  explicit TensorType(const TensorMeta& meta);
  TensorType(const TensorMeta& meta, SizeTexts& texts);

  /// Returns the form used in programs. For `hints`, see Size::sym_int().
  TensorMeta meta(const Bindings& hints = {}) const;
};

/// The type of one result of an operator: None, a tensor, a list of tensors, or a symbolic int, float or
/// bool.
using ValueType =
    std::variant<std::monostate, TensorType, std::vector<TensorType>, SymInt, SymFloat, SymBool>;

/// Returns the strides for row-major order. As in torch, a size of 0 counts as 1.
std::vector<Size> row_major_strides(const std::vector<Size>& sizes);

/// Returns the product of the sizes.
Size element_count(const std::vector<Size>& sizes);

/// The torch.autocast mode of a graph: which device it applies to, and which dtype it casts to.
struct Autocast {
  std::string device_type;                 // `cpu`, `cuda`
  ScalarType dtype = ScalarType::UNKNOWN;  // UNKNOWN if autocast is off
};

/// Returns the mode for the subgraphs of `node`, which is in a graph with mode `around`. It differs from
/// `around` only for calls of wrap_with_autocast.
Autocast autocast_within(const Node& node, const Autocast& around);

/// Returns the hints of the symbols in `graph`: their values for the sample inputs.
Bindings hints_of(const Graph& graph);

/// Returns the types of the results of `node`, a call of `op` in `graph`, or nullopt if there is no rule for
/// the operator.
///
/// The types are the same as those of PyTorch's fake tensors on a CPU, including strides (except for dims of
/// size 1). There are rules for elementwise operators with broadcasting and promotion, views, reductions,
/// matrix products, convolutions, pooling, normalization, factories, recurrent layers, matrix decompositions,
/// Fourier transforms, quantization, symbolic arithmetic, in-place operators, and higher-order operators such
/// as cond, map and while_loop.
///
/// `hints` has values of symbols, used to compare symbolic strides. `autocast` is the graph's mode, from
/// autocast_within(). `texts` is a cache to share between the nodes of a program; it may be null.
///
/// Throws DataError if the arguments do not match (shapes that cannot be broadcast), or if a size of the
/// result depends on the values of symbols.
std::optional<std::vector<ValueType>> infer_results(const Node& node, const Operator& op, const Graph& graph,
                                                    const Bindings& hints, const Autocast& autocast = {},
                                                    SizeTexts* texts = nullptr);

}  // namespace pt2
