// The types of values: what a graph's tables know of them, to be computed with. All functions may be called
// from several threads at once. Several threads may read the same object at once.
#pragma once

#include <variant>
#include <vector>

#include "pt2/infer/size.h"
#include "pt2/types.h"

namespace pt2 {

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

}  // namespace pt2
