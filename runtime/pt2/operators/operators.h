// Describes PyTorch's operators and your own: their schemas and effects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/operators/types.h"

namespace pt2 {

using operators::Operator;
using operators::OperatorAlias;
using operators::OperatorArgument;
using operators::OperatorKind;
using operators::OperatorReturn;
using operators::OperatorTag;
using operators::OperatorType;
using operators::OperatorTypeKind;
using operators::OperatorValue;

/// Returns PyTorch's operator for a node's `target`, e.g. `torch.ops.aten.add.Tensor`, or null if it is
/// unknown. The table contains the namespaces aten, prims, quantized_decomposed and higher_order, and the
/// Python functions on numbers and symbols that nodes can call. See operator_releases() for the releases that
/// the table covers. Takes O(1) time: operators are decoded on first use and cached.
const Operator* find_operator(std::string_view target);

/// Returns the operator as it was in the PyTorch release `release`, e.g. `2.6`. The arguments and results are
/// those of that release as far as they are known. Returns null if the release lacks the operator.
const Operator* find_operator(std::string_view target, std::string_view release);

/// Returns all known signatures of PyTorch's operator for `target`: the one that find_operator() returns,
/// followed by the signatures in releases whose arguments or results differ. Returns none if it is unknown.
std::vector<const Operator*> operator_signatures(std::string_view target);

/// Returns whether PyTorch release `a` is earlier than `b`. Both must have the form `2.N`, e.g. `2.6`.
bool is_earlier_release(std::string_view a, std::string_view b) noexcept;

/// The releases that the table of operators covers.
struct OperatorReleases {
  std::string_view first;    // the first release, `2.1`
  std::string_view last;     // the last release
  std::string_view schemas;  // the release that the operators' schemas come from
  std::int64_t aten_opset;   // the version of aten in ExportedProgram::opset_version, as of that release
};
const OperatorReleases& operator_releases() noexcept;

/// Returns the number of operators in the table.
std::size_t operator_count() noexcept;

/// Returns the operator at `index`, which must be less than operator_count(). Operators are sorted by name.
const Operator& operator_at(std::size_t index);

/// Returns the index of the argument `name`, or op.arguments.size() if the operator has no such argument.
std::size_t argument_position(const Operator& op, std::string_view name) noexcept;

bool has_tag(const Operator& op, OperatorTag tag) noexcept;

/// PyTorch's operators plus the operators that you add. For example:
///
///     pt2::OperatorSet operators;
///     operators.add("my::scale(Tensor x, float a=2.0) -> Tensor");
///
/// Changing a set does not change its copies.
class OperatorSet {
 public:
  /// Adds an operator, replacing any operator with the same name. Returns the new operator so that you can
  /// set its tags and `has_effects`. Throws DataError if the schema is malformed; see parse_operator().
  Operator& add(std::string_view schema);
  Operator& add(Operator op);

  /// Makes type inference use the rule for `other` when it infers the types of `op`, which must be an
  /// operator of this set. The arguments of both operators must have the same names. If `other` is null,
  /// inference uses the rule for `op` itself, if there is one. `other` must outlive this set and its copies.
  void infer_as(const Operator& op, const Operator* other);
  /// Returns the operator whose inference rule applies to `op`: the operator that was passed to infer_as(),
  /// or `op` itself.
  const Operator& inferred_as(const Operator& op) const;

  /// Returns the operator for a node's `target`, or null if it is unknown. The pointer is valid until the set
  /// is destroyed or an operator with that name is added.
  const Operator* find(std::string_view target) const;

 private:
  std::map<std::string, Operator, std::less<>> own_;  // the keys are targets
  std::map<std::string, const Operator*, std::less<>> inferred_as_;
};

/// Reads one operator from each line of `text`, in the format of parse_operator_line(). Skips empty lines and
/// lines that start with `#`. Messages refer to the text as `name`.
///
/// Throws DataError if an operator occurs twice, or if parse_operator_line() rejects a line. All messages
/// begin with `NAME:LINE: `.
OperatorSet read_operators(std::string_view text, std::string_view name);

}  // namespace pt2
