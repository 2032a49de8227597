#pragma once

#include <cstddef>
#include <functional>
#include <utility>

#include "pt2/infer/infer.h"
#include "pt2/nodes/arguments.h"
#include "pt2/text/type_names.h"

namespace pt2 {

/// The same limit as in TensorIterator.
constexpr std::size_t kMostDims = 64;
constexpr std::size_t kMostTensors = std::size_t{1} << 16;
void require_few(std::size_t count, std::size_t most, const char* noun);

using Sizes = std::vector<Size>;
using Results = std::vector<ValueType>;

/// The call whose results are inferred. Throws DataError above kMostDims or kMostTensors, because a few bytes
/// can request any number.
class InferredCall {
 public:
  InferredCall(const Node& called, const Operator& schema, const Graph& values, const Bindings& examples,
               SizeTexts& read, std::optional<ScalarType> computed_in = {}, std::string cast_device = {},
               std::string_view row = {})
      : words(row),
        op(schema),
        graph(values),
        hints(examples),
        texts(read),
        node(called),
        arguments(called, schema),
        computed_in_(computed_in),
        cast_device_(std::move(cast_device)) {}

  bool declares(std::string_view name) const;
  bool has(std::string_view name) const { return declares(name) && !arguments.is_none(name); }

  TensorType tensor(std::string_view name) const { return type_of(arguments.tensor(name)); }
  TensorType tensor(std::string_view name, std::size_t rank) const;
  /// Returns an operand by its position among the arguments that are declared as Tensor.
  TensorType operand(std::size_t number) const;
  std::vector<TensorType> tensors(std::string_view name) const;
  TensorType type_of(const std::string& value) const;
  Size size(std::string_view name) const { return size_of(arguments.sym_int(name)); }
  Sizes sizes(std::string_view name) const;
  Size size_of(const SymIntArgument& argument) const;

  /// Returns a dim, counting negative dims from the end. Throws DataError if it is outside `rank`.
  std::size_t dim(std::string_view name, std::size_t rank) const;
  static std::size_t dim_of(std::int64_t dim, std::size_t rank);
  static std::vector<std::size_t> dims_of(const std::vector<std::int64_t>& dims, std::size_t rank);
  /// Returns the dims that a list, an int, None or a missing argument selects; no dims means all dims.
  std::vector<bool> dims(std::string_view name, std::size_t rank) const;

  /// Throws DataError if the node has fewer outputs, before types are created.
  void require_results(std::int64_t count) const;

  /// Returns a size that depends on data: the one that is recorded for a dim of a result, or a new symbol if
  /// no type of that rank is recorded. `result` counts the tensors of lists, too.
  Size size_from_data(std::size_t dim, std::size_t rank, std::size_t result = 0) const;
  /// Returns the recorded type of a result, or nullopt if there is none of that rank.
  std::optional<TensorType> recorded(std::size_t rank, std::size_t result) const;
  /// Returns the first of `u0`, `u1`, ... that the graph's types do not contain.
  std::string new_symbol(const std::string& prefix) const;
  Size new_size() const;

  bool flag(std::string_view name) const { return declares(name) && arguments.get_bool(name); }
  ScalarType dtype(ScalarType usual, std::string_view name = "dtype") const;

  const std::string_view words;  // NamedRule::words
  const Operator& op;
  const Graph& graph;
  const Bindings& hints;
  SizeTexts& texts;
  const Node& node;
  const NodeArguments arguments;

 private:
  const std::optional<ScalarType> computed_in_;
  const std::string cast_device_;
  mutable std::int64_t new_symbols_ = 0;
};

/// Returns the dtype that autocast casts floats to for an aten operator (e.g. `linear`), or nullopt.
std::optional<ScalarType> dtype_below(const Autocast& autocast, std::string_view name);

/// Updates `batches`, the sizes that the calls of torch.vmap around a node state. Must be called for each
/// node of `graph`, in order. `op` may be null. Throws ShapeError if the node makes or undoes a batch of
/// another size, and DataError if the node is malformed.
void follow_vmaps(Sizes& batches, const Node& node, const Operator* op, const Graph& graph,
                  const Bindings& hints, SizeTexts& texts);

/// A rule and the operators that it is for. For example, `sum` means all overloads of aten.sum,
/// `where.default` means one overload, and `prims.amax` is in a different namespace.
struct NamedRule {
  /// `function` returns the types of the results, or no types if they are not known. It takes the types of as
  /// many operands as it has parameters after the call.
  template <class... Operands>
  NamedRule(Results (*function)(const InferredCall& call, Operands... operands), std::string_view known,
            std::string_view operators)
      : rule([function](const InferredCall& call) {
          return applied(function, call, std::index_sequence_for<Operands...>());
        }),
        names(operators),
        words(known) {}
  template <class... Operands>
  NamedRule(Results (*function)(const InferredCall& call, Operands... operands), std::string_view operators)
      : NamedRule(function, {}, operators) {}

  std::function<Results(const InferredCall& call)> rule;
  std::string_view names;
  std::string_view words;  // what the rule must know about these operators

 private:
  template <class Function, std::size_t... Numbers>
  static Results applied(Function function, const InferredCall& call, std::index_sequence<Numbers...>) {
    TensorType operands[] = {call.operand(Numbers)..., TensorType()};
    return function(call, std::move(operands[Numbers])...);
  }
};
using NamedRules = std::vector<NamedRule>;

/// Returns whether infer_results() knows a rule for the operator.
bool has_rule(const Operator& op);

NamedRules pointwise_rules();
NamedRules view_rules();
NamedRules reduction_rules();
NamedRules product_rules();
NamedRules window_rules();
NamedRules layer_rules();
NamedRules indexing_rules();
NamedRules factory_rules();
NamedRules symbol_rules();
NamedRules subgraph_rules();
NamedRules linear_algebra_rules();
NamedRules gradient_rules();

/// Returns the results that `words` describe, separated by commas, e.g. `dense self, contiguous self long`.
/// Words are a layout, an argument (`_` is the first), and functions of the argument's dtype. The layouts
/// are:
///
/// * `same`: the tensor itself; `cast`: the same, or dense if the dtype differs
/// * `dense`, `images`, `format`: as dense_like(), images_like() and in_format()
/// * `contiguous`: with the dtype of the first argument; the argument can be a list of sizes
/// * `broadcast`: the first argument and this one, with the dtype of the first
/// * `optional`: contiguous, or None if the argument is missing; `scalar`: of rank 0
/// * `operands`: all operands together, see pointwise(); `reduced`: see reduced()
/// * `new`: on the CPU or `device`, with the argument as sizes
/// * `rows`: a matrix with that number of rows, each as long as the first argument's
/// * `first`: one dim, the argument's first; `scaled`: a product with the deviations `rstd`
///
/// A function is a dtype (`long`), an argument (`out_dtype`), or `real`, `floating`, `complex`, `summed` (to
/// LONG) or `widest`. Results that `output_mask` leaves out are None.
Results described_by(std::string_view words, const InferredCall& call);
Results described(const InferredCall& call);  // by the words of the rule

/// Broadcasts and promotes, which is the default for elementwise operators.
Results pointwise(const InferredCall& call);
/// Returns the same type. The dtype of `skipped` takes no part in promotion.
TensorType combined_operands(const InferredCall& call, std::string_view skipped = {});

/// Returns `self` without the dims that `dim` selects, or with size 1 for them if `keepdim` is set.
TensorType reduced(const InferredCall& call);

/// Returns the first operand, which must have dims, and the argument `dim`.
std::pair<TensorType, std::size_t> along_dim(const InferredCall& call);

/// Returns what `function` returns for each item of a list.
template <class Items, class Function>
auto mapped(const Items& items, const Function& function) {
  std::vector<std::decay_t<decltype(function(items.front()))>> made;
  made.reserve(items.size());
  for (const auto& item : items) made.push_back(function(item));
  return made;
}

/// These functions return parts of sizes, or changed sizes.
Sizes part(const Sizes& sizes, std::size_t begin, std::size_t end);
Sizes but_last(const Sizes& sizes, std::size_t count);
Sizes concat(Sizes sizes, const Sizes& more);
/// Returns the products of the sizes. The shorter list begins with ones.
Sizes multiplied_sizes(Sizes a, Sizes b);
Sizes replaced(const Sizes& sizes, std::size_t first, std::size_t count, const Sizes& by);

/// Throws DataError if sizes differ, neither of which is 1. Symbolic sizes may equal others whose hint is the
/// same, because torch has a guard for that.
Sizes broadcast(const Sizes& a, const Sizes& b, const Bindings& hints);
ScalarType promote(ScalarType a, ScalarType b);
std::optional<ScalarType> number_dtype(const Argument& argument);
ScalarType real(ScalarType dtype);
ScalarType as_complex(ScalarType dtype);
ScalarType as_float(ScalarType dtype);

/// Returns the number of elements of a diagonal. A positive offset is above the main diagonal.
Size diagonal_length(const Size& rows, const Size& columns, std::int64_t offset);
/// Throws DataError unless each dim occurs once.
TensorType permuted(TensorType self, const std::vector<std::size_t>& order);
void swap_dims(TensorType& tensor, std::size_t a, std::size_t b);
/// Returns the dims below `rank` that `dims` lacks.
std::vector<std::size_t> other_dims(std::size_t rank, const std::vector<std::size_t>& dims);
/// Returns the view that torch.atleast_1d(), atleast_2d() or atleast_3d() returns.
TensorType of_rank(TensorType tensor, std::size_t least);
TensorType contiguous_like(const TensorType& like, ScalarType dtype, Sizes sizes);
inline TensorType contiguous_like(const TensorType& like, Sizes sizes) {
  return contiguous_like(like, like.dtype, std::move(sizes));
}
/// Returns a type with the dims in the same order in memory.
TensorType dense_like(const TensorType& like, ScalarType dtype, const Bindings& hints);

/// Returns a type in the memory order that TensorIterator chooses.
TensorType combined(const std::vector<TensorType>& tensors, ScalarType dtype, const Bindings& hints);
/// Returns a type in the requested memory format, or dense_like() without one. Throws DataError if the format
/// requires a different rank.
TensorType in_format(const InferredCall& call, const TensorType& like, ScalarType dtype);
/// Returns whether the tensor is channels-last, with rank 4 or 5 and possibly with gaps. Source:
/// Tensor.suggest_memory_format().
bool is_channels_last(const TensorType& tensor, const Bindings& hints);
TensorType images_like(const InferredCall& call, const TensorType& like, Sizes sizes);
/// Returns the strides of a dense tensor whose dims are in `order` in memory, the innermost last.
Sizes strides_in(const std::vector<std::size_t>& order, const Sizes& sizes);
Sizes channels_last_strides(const Sizes& sizes);

std::string sizes_text(const Sizes& sizes);

/// Returns a part of a message: sizes, a dtype, a number or text.
template <class Part>
std::string reason_part(const Part& part) {
  if constexpr (std::is_same_v<Part, Sizes>) {
    return sizes_text(part);
  } else if constexpr (std::is_same_v<Part, ScalarType>) {
    return std::string(torch_name(part));
  } else if constexpr (std::is_integral_v<Part>) {
    return std::to_string(part);
  } else {
    return std::string(part);
  }
}
template <class... Parts>
[[noreturn]] void fail_inference(const Parts&... parts) {
  throw schemagen::DataError((reason_part(parts) + ...));
}
/// Throws ShapeError: the sizes of the operands contradict each other.
template <class... Parts>
[[noreturn]] void fail_shapes(const Parts&... parts) {
  throw ShapeError((reason_part(parts) + ...));
}
void require(bool holds, const char* fault);
void require_rank(const TensorType& tensor, std::size_t rank);
void require_min_rank(const TensorType& tensor, std::size_t rank);
/// Throws ShapeError if the shape differs from the expected one. A symbol equals no
/// number.
void require_sizes(const InferredCall& call, const char* name, const Sizes& sizes, const Sizes& expected);
void require_same_count(std::size_t count, const char* noun, std::size_t other_count, const char* other_noun);
void require_at_least(const char* name, std::int64_t value, std::int64_t least);
/// Accepts symbolic sizes.
void require_at_most(const char* name, const Size& value, const Size& most);

}  // namespace pt2
