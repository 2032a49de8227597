// The inference rules and the helpers they share. Internal to infer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/infer/infer.h"
#include "pt2/nodes/arguments.h"
#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// The highest rank inferred, the same as TensorIterator's.
constexpr std::size_t kMostDims = 64;
/// The longest list of tensors inferred.
constexpr std::size_t kMostTensors = std::size_t{1} << 16;
/// Throw DataError above these limits.
void require_dims(std::size_t count);
void require_tensors(std::size_t count);

/// The node whose results are inferred. Looks up arguments by their names in the schema, and types of
/// tensors.
///
/// Throws DataError above kMostDims or kMostTensors: a few bytes of a program can ask for any number.
class InferredCall {
 public:
  /// `computed_in`: the result of dtype_below() for the operator.
  InferredCall(const Node& called, const Operator& schema, const Graph& values, const Bindings& examples,
               SizeTexts& read, std::optional<ScalarType> computed_in = {})
      : op(schema),
        graph(values),
        hints(examples),
        texts(read),
        node(called),
        arguments(called, schema),
        computed_in_(computed_in) {}

  /// Whether the schema has an argument of this name.
  bool declares(std::string_view name) const;
  /// Whether the argument exists and is not None.
  bool has(std::string_view name) const { return declares(name) && !arguments.is_none(name); }

  TensorType tensor(std::string_view name) const { return type_of(arguments.tensor(name)); }
  /// Throws DataError unless the tensor has this rank.
  TensorType tensor(std::string_view name, std::size_t rank) const;
  /// The type of the first argument, a tensor.
  TensorType first() const { return tensor(op.arguments.at(0).name); }
  std::vector<TensorType> tensors(std::string_view name) const;
  TensorType type_of(const std::string& value) const;
  Size size(std::string_view name) const { return size_of(arguments.sym_int(name)); }
  std::vector<Size> sizes(std::string_view name) const;
  Size size_of(const SymIntArgument& argument) const;

  /// A dimension, negative ones counted from the end. Throws DataError unless it is within `rank`.
  std::size_t dim(std::string_view name, std::size_t rank) const;
  static std::size_t dim_of(std::int64_t dim, std::size_t rank);
  static std::vector<std::size_t> dims_of(const std::vector<std::int64_t>& dims, std::size_t rank);
  /// Which dims an argument selects. It may be a list, an int, None or missing; no dims select all.
  std::vector<bool> dims(std::string_view name, std::size_t rank) const;

  /// Throws DataError if the node has fewer outputs, before types are made for them.
  void require_results(std::int64_t count) const;

  /// The value of a bool; false if the schema has none of that name.
  bool flag(std::string_view name) const { return declares(name) && arguments.get_bool(name); }
  /// The value of a dtype argument, or `usual` if it is None or not in the schema.
  ScalarType dtype(ScalarType usual, std::string_view name = "dtype") const;

  const Operator& op;
  const Graph& graph;
  const Bindings& hints;
  SizeTexts& texts;
  const Node& node;
  const NodeArguments arguments;

 private:
  const std::optional<ScalarType> computed_in_;
};

/// The dtype to which autocast casts float operands of an aten operator (`linear`); nullopt if it does not.
std::optional<ScalarType> dtype_below(const Autocast& autocast, std::string_view name);

/// Returns the types of a call's results; empty if they are not known.
using InferenceRule = std::vector<ValueType> (*)(const InferredCall& call);

/// A rule and its operators: `sum` for all overloads of aten.sum, `where.default` for one of them, with the
/// namespace if it is not aten: `prims.amax`.
struct NamedRule {
  InferenceRule rule;      // null: nothing is known about the results
  std::string_view names;  // separated by spaces
};
using NamedRules = std::vector<NamedRule>;

// Each in the file of its name.
NamedRules pointwise_rules();
NamedRules view_rules();
NamedRules reduction_rules();
NamedRules product_rules();
NamedRules window_rules();
NamedRules norm_rules();
NamedRules indexing_rules();
NamedRules factory_rules();
NamedRules symbol_rules();
NamedRules subgraph_rules();
NamedRules image_rules();
NamedRules recurrent_rules();
NamedRules quantization_rules();
NamedRules linear_algebra_rules();
NamedRules einsum_rules();
NamedRules loss_rules();

// ---- Rules shared by several files ----

/// Broadcasting and promotion, for elementwise operators without a rule in pointwise_rules().
std::vector<ValueType> pointwise(const InferredCall& call);
/// A dense tensor of the first argument's shape, dtype and dimension order.
std::vector<ValueType> dense_first(const InferredCall& call);
/// A row-major tensor of the first argument's shape and dtype.
std::vector<ValueType> contiguous_first(const InferredCall& call);

// ---- Parts of rules ----

/// The common shape. Throws DataError if there is none.
std::vector<Size> broadcast(const std::vector<Size>& a, const std::vector<Size>& b);
/// The common dtype. Throws DataError if there is none.
ScalarType promote(ScalarType a, ScalarType b);
/// The dtype of a Python number in promotion; nullopt if the argument is not a number.
std::optional<ScalarType> number_dtype(const Argument& argument);
bool is_float(ScalarType dtype);
/// The dtype of a complex dtype's parts; other dtypes unchanged.
ScalarType real(ScalarType dtype);
/// The complex dtype whose parts have this dtype.
ScalarType as_complex(ScalarType dtype);
/// `dtype` if it is floating point or complex, otherwise float32.
ScalarType as_float(ScalarType dtype);

/// A row-major tensor on the device of `like`.
TensorType contiguous_like(const TensorType& like, ScalarType dtype, std::vector<Size> sizes);
inline TensorType contiguous_like(const TensorType& like, std::vector<Size> sizes) {
  return contiguous_like(like, like.dtype, std::move(sizes));
}
/// A dense tensor of the same shape, with the dimensions in the same order in memory.
TensorType dense_like(const TensorType& like, ScalarType dtype, const Bindings& hints);

/// The result of an elementwise operator, with the memory order that TensorIterator chooses.
TensorType combined(const std::vector<TensorType>& tensors, ScalarType dtype, const Bindings& hints);
/// A tensor of this shape in the call's memory_format, or dense_like() without one.
/// Throws DataError if the format needs another rank.
TensorType in_format(const InferredCall& call, const TensorType& like, ScalarType dtype);
/// Whether a tensor of rank 4 or 5 is in channels_last order, possibly with gaps.
/// Source: Tensor.suggest_memory_format().
bool is_channels_last(const TensorType& tensor, const Bindings& hints);
/// A tensor of this shape, channels_last if `like` is.
TensorType images_like(const InferredCall& call, const TensorType& like, std::vector<Size> sizes);
/// The strides of channels_last order. The rank must be 3 or more.
std::vector<Size> channels_last_strides(const std::vector<Size>& sizes);

/// `[2, s0]`
std::string sizes_text(const std::vector<Size>& sizes);

// These throw DataError.
[[noreturn]] void fail_inference(std::string reason);
void require(bool holds, const char* fault);
void require_rank(const TensorType& tensor, std::size_t rank);
void require_min_rank(const TensorType& tensor, std::size_t rank);
/// "2 strides for 3 sizes", unless the counts are equal.
void require_same_count(std::size_t count, const char* noun, std::size_t other_count, const char* other_noun);
/// Throws if `value` is a number below `least`.
void require_at_least(const char* name, std::int64_t value, std::int64_t least);

}  // namespace pt2
