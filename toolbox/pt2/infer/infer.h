// Infers the types of a node's results. Types can have symbolic sizes.
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
#include "schemagen/base/error.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// An integer or an expression that contains symbols, e.g. `2*s0 + 1`. Sums and products are expanded before
/// expressions are compared.
///
/// Arithmetic operators throw DataError if a coefficient overflows 64 bits or an expression has too many
/// terms.
class Size {
 public:
  Size(std::int64_t number = 0)
      : number_(number) {}  // NOLINT(google-explicit-constructor): a number can be passed as a size
  /// Throws DataError if the expression cannot be parsed.
  explicit Size(const SymInt& value);
  /// Returns a symbol for a positive integer, like the symbols that torch uses for sizes.
  static Size symbol(std::string_view name);
  static Size of(const Expression& expression);

  /// Returns the value, or nullopt if the size contains symbols.
  std::optional<std::int64_t> number() const noexcept {
    return symbolic_ == nullptr ? std::optional<std::int64_t>(number_) : std::nullopt;
  }
  bool is(std::int64_t value) const noexcept { return symbolic_ == nullptr && number_ == value; }

  /// Returns the size as a SymInt, with a hint if `hints` has values for all symbols in the size.
  SymInt sym_int(const Bindings& hints) const;
  /// Returns the value of the size when the symbols have the values in `hints`, or nullopt if a symbol has no
  /// hint.
  std::optional<std::int64_t> hint(const Bindings& hints) const;
  /// Returns whether the size contains functions such as `//`, for which a guard of torch can require a
  /// number.
  bool has_functions() const;
  /// Returns the size in sympy's srepr form.
  std::string srepr() const;

  friend Size operator+(const Size& a, const Size& b);
  friend Size operator-(const Size& a, const Size& b);
  friend Size operator*(const Size& a, const Size& b);
  friend bool operator==(const Size& a, const Size& b);
  friend bool operator!=(const Size& a, const Size& b) { return !(a == b); }

  /// Returns `a // b`, rounded toward minus infinity. Throws DataError if `b` is 0.
  friend Size floor_div(const Size& a, const Size& b);
  /// Returns the exact quotient, or nullopt if there is none or if it cannot be determined.
  friend std::optional<Size> quotient(const Size& a, const Size& b);
  /// Return one of the two, or an expression if it depends on symbols which one.
  friend Size larger(const Size& a, const Size& b);
  friend Size smaller(const Size& a, const Size& b);

 private:
  explicit Size(Polynomial sum);
  Polynomial sum() const { return symbolic_ == nullptr ? Polynomial(number_) : *symbolic_; }

  std::int64_t number_ = 0;
  std::shared_ptr<const Polynomial> symbolic_;  // the names of symbols are sreprs; null for a number
};

/// Returns whether two sizes are equal for the values in `hints`, as far as those are known.
bool may_equal(const Size& a, const Size& b, const Bindings& hints);

/// Caches parsed sizes by their text, because a program repeats a few expressions many times.
class SizeTexts {
 public:
  /// Throws DataError if the expression cannot be parsed.
  Size size(const SymInt& value);

  /// Returns other values for the symbols, because different sizes can be equal for one set of values. Makes
  /// them from the first `hints` that are passed.
  const Bindings& other_hints(const Bindings& hints);

 private:
  schemagen::Map<Size> read_;
  std::optional<Bindings> other_hints_;
};

/// The dtype, sizes, strides, offset, device and layout of a tensor.
struct TensorType {
  ScalarType dtype = ScalarType::UNKNOWN;
  std::vector<Size> sizes;    // one per dimension; empty for a scalar
  std::vector<Size> strides;  // one per dimension, in elements
  Size offset;                // offset of the first element from the start of the storage, in elements
  Device device;
  bool requires_grad = false;
  Layout layout = Layout::Strided;

  TensorType() = default;
  /// Creates the type of a row-major tensor.
  TensorType(ScalarType dtype, std::vector<Size> sizes, Device device = {"cpu", {}});
  /// Throws DataError if an expression cannot be parsed, or if the numbers of sizes and strides differ.
  explicit TensorType(const TensorMeta& meta);
  TensorType(const TensorMeta& meta, SizeTexts& texts);

  /// Returns the type as a TensorMeta. For `hints`, see Size::sym_int().
  TensorMeta meta(const Bindings& hints = {}) const;
};

/// The type of an operator's result: None, a tensor, a list of tensors, or a symbolic int, float or bool.
using ValueType =
    std::variant<std::monostate, TensorType, std::vector<TensorType>, SymInt, SymFloat, SymBool>;

/// Returns the strides of a row-major tensor with these sizes. As in torch, a size below 1 is treated as 1.
std::vector<Size> row_major_strides(const std::vector<Size>& sizes);

/// Returns the product of the sizes.
Size element_count(const std::vector<Size>& sizes);

/// A graph's torch.autocast mode: the device type that the mode applies to, and the dtype that it casts to.
struct Autocast {
  std::string device_type;                 // e.g. `cpu` or `cuda`
  ScalarType dtype = ScalarType::UNKNOWN;  // UNKNOWN if autocast is off
};

/// Returns the mode that applies in the subgraphs of `node`. `around` is the mode of the graph that contains
/// `node`. The result differs from `around` only for calls to wrap_with_autocast.
Autocast autocast_within(const Node& node, const Autocast& around);

/// Returns the hints for the symbols in `graph`. A hint is a symbol's value for the sample inputs.
Bindings hints_of(const Graph& graph);
/// Does the same, but returns no hints if an expression is malformed.
Bindings valid_hints(const Graph& graph);

/// Thrown if sizes of operands contradict each other. Other faults may be limits of an inference rule.
class ShapeError : public schemagen::DataError {
 public:
  using schemagen::DataError::DataError;
};

/// Infers the types of the results of `node`, which is a call to `op` in `graph`. Returns nullopt if there is
/// no rule for the operator.
///
/// The types equal those of PyTorch's fake tensors on a CPU, including the strides of all dimensions whose
/// size is not 1. There are rules for elementwise operators with broadcasting and promotion, views,
/// reductions, matrix products, convolutions, pooling, normalization, factories, recurrent layers, matrix
/// decompositions, Fourier transforms, quantization, symbolic arithmetic, in-place operators, and
/// higher-order operators such as cond, map and while_loop.
///
/// `hints` contains values of symbols, which are used to compare symbolic strides. `autocast` is the mode of
/// `graph`; for a subgraph, autocast_within() returns the mode. `texts` is a cache that all nodes of a
/// program can share, or null.
///
/// Throws ShapeError if the operands' sizes do not match (e.g. shapes that cannot be broadcast). Throws
/// DataError if other arguments do not match, or if a size of the result depends on the values of symbols.
std::optional<std::vector<ValueType>> infer_results(const Node& node, const Operator& op, const Graph& graph,
                                                    const Bindings& hints, const Autocast& autocast = {},
                                                    SizeTexts* texts = nullptr);

}  // namespace pt2
