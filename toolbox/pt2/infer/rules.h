// The rules by which the types of results are inferred, and what they ask of a node: a part of infer.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/infer/infer.h"
#include "pt2/nodes/arguments.h"
#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// Of how many dims a tensor is whose type is made. Those of TensorIterator, in which torch computes what is
/// element by element, are as many.
constexpr std::size_t kMostDims = 64;
/// How many tensors a list has of which types are made.
constexpr std::size_t kMostTensors = std::size_t{1} << 16;
/// Errors: DataError if there are more.
void require_dims(std::size_t count);
void require_tensors(std::size_t count);

/// A node whose results are asked for: its arguments by their names in the schema, tensors with their types.
class InferredCall {
 public:
  /// `computed_in`: what dtype_below() says of the operator.
  InferredCall(const Node& called, const Operator& schema, const Graph& values, const Bindings& examples,
               SizeTexts& read, std::optional<ScalarType> computed_in = {})
      : op(schema),
        graph(values),
        hints(examples),
        texts(read),
        node(called),
        arguments(called, schema),
        computed_in_(computed_in) {}

  /// Whether the schema has such an argument.
  bool declares(std::string_view name) const;
  /// Whether it has one, which is not None.
  bool has(std::string_view name) const { return declares(name) && !arguments.is_none(name); }

  /// Errors of these: DataError if there are more tensors, or dims of one, than types are made of here: a few
  /// bytes of a program could ask for any number of them.
  TensorType tensor(std::string_view name) const { return type_of(arguments.tensor(name)); }
  std::vector<TensorType> tensors(std::string_view name) const;
  TensorType type_of(const std::string& value) const;
  Size size(std::string_view name) const { return size_of(arguments.sym_int(name)); }
  std::vector<Size> sizes(std::string_view name) const;
  Size size_of(const SymIntArgument& argument) const;

  /// A dimension of a tensor of `rank`, from 0 on. Errors: DataError if there is none.
  std::size_t dim(std::string_view name, std::size_t rank) const;
  static std::size_t dim_of(std::int64_t dim, std::size_t rank);
  /// The dims of an argument that is a list of them, an int, None or left out; none are all.
  std::vector<bool> dims(std::string_view name, std::size_t rank) const;

  /// Errors: DataError if the results of the call are not so many: nothing is made that no value stands for.
  void require_results(std::int64_t count) const;

  /// The value of a bool; false if the schema has none of that name.
  bool flag(std::string_view name) const { return declares(name) && arguments.get_bool(name); }
  /// The dtype that is asked for, or else `usual`.
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

/// The dtype to which autocast converts the floats that an operator of aten of this name, `linear`, is given;
/// nullopt: it does not.
std::optional<ScalarType> dtype_below(const Autocast& autocast, std::string_view name);

/// Says what the results of a call are; nothing: not known.
using InferenceRule = std::vector<ValueType> (*)(const InferredCall& call);

/// The rule of operators of one name, whatever their overload: `sum` of `aten.sum.dim_IntList`; or of one
/// overload, `where.default`. Those of other namespaces have that before it: `prims.amax`.
struct NamedRule {
  std::string_view name;
  InferenceRule rule;  // null: what this overload gives cannot be told
};
using NamedRules = std::vector<NamedRule>;

// By what they are about; each in a file of its own.
const NamedRules& pointwise_rules();
const NamedRules& view_rules();
const NamedRules& reduction_rules();
const NamedRules& product_rules();
const NamedRules& window_rules();
const NamedRules& norm_rules();
const NamedRules& indexing_rules();
const NamedRules& factory_rules();
const NamedRules& symbol_rules();
const NamedRules& subgraph_rules();
const NamedRules& image_rules();
const NamedRules& recurrent_rules();
const NamedRules& quantization_rules();
const NamedRules& linear_algebra_rules();
const NamedRules& einsum_rules();
const NamedRules& loss_rules();

/// What all operators compute that go element by element and are not among pointwise_rules().
std::vector<ValueType> pointwise(const InferredCall& call);

// ---- Parts of rules ----

/// The common shape. Errors: DataError if there is none.
std::vector<Size> broadcast(const std::vector<Size>& a, const std::vector<Size>& b);
/// The dtype of what is computed of both.
ScalarType promote(ScalarType a, ScalarType b);
/// What a number is as a tensor; nullopt: it is no number.
std::optional<ScalarType> number_dtype(const Argument& argument);
bool is_float(ScalarType dtype);
/// The dtype of the parts of a complex number; any other dtype as it is.
ScalarType real(ScalarType dtype);
/// The dtype of complex numbers with such parts.
ScalarType as_complex(ScalarType dtype);
/// `dtype`, or the float that whole numbers become.
ScalarType as_float(ScalarType dtype);

/// A tensor of this dtype and shape, in row-major order, where `like` is.
TensorType contiguous_like(const TensorType& like, ScalarType dtype, std::vector<Size> sizes);
inline TensorType contiguous_like(const TensorType& like, std::vector<Size> sizes) {
  return contiguous_like(like, like.dtype, std::move(sizes));
}
/// A tensor of this dtype and shape, whose dimensions lie in memory in the order in which they do in `like`,
/// and nothing between the elements.
TensorType dense_like(const TensorType& like, ScalarType dtype, const Bindings& hints);

/// What is computed of these element by element, in the order that they have in memory.
TensorType combined(const std::vector<TensorType>& tensors, ScalarType dtype, const Bindings& hints);
/// A tensor of this dtype and shape in the memory format that the call asks for, or else as dense_like().
/// Errors: DataError if it has not as many dims as the format.
TensorType in_format(const InferredCall& call, const TensorType& like, ScalarType dtype);
/// Whether the elements lie as those of images, of two or three dims, whose channels lie next to each other,
/// maybe with gaps. Source: Tensor.suggest_memory_format().
bool is_channels_last(const TensorType& tensor, const Bindings& hints);
/// A tensor of this shape, with its channels next to each other if those of `like` are.
TensorType images_like(const InferredCall& call, const TensorType& like, std::vector<Size> sizes);
/// The strides of images whose channels lie next to each other, of three dims at least.
std::vector<Size> channels_last_strides(const std::vector<Size>& sizes);

/// `[2, s0]`
std::string sizes_text(const std::vector<Size>& sizes);

/// Throws DataError unless `holds`.
void require(bool holds, const char* what);

}  // namespace pt2
