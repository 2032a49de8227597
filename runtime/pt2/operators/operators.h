// PyTorch's operators and your own: their schemas and effects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

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

/// Returns PyTorch's operator for a node's `target`, e.g. `torch.ops.aten.add.Tensor`; null if it is unknown.
/// The table has aten, prims, quantized_decomposed, higher_order, and the Python functions on numbers and
/// symbols that nodes can call; operator_releases() says for which releases. O(1); operators are decoded on
/// first use and cached.
const Operator* find_operator(std::string_view target);

/// Returns the operator with the arguments and results that it has in a PyTorch release, such as `2.6`, as
/// far as they are known. Returns null if that release lacks the operator.
const Operator* find_operator(std::string_view target, std::string_view release);

/// Returns whether release `a` of PyTorch 2 is earlier than `b`. Both are written like `2.6`.
bool is_earlier_release(std::string_view a, std::string_view b) noexcept;

/// The releases that the table of operators covers.
struct OperatorReleases {
  std::string_view first;    // the first release, `2.1`
  std::string_view last;     // the last release
  std::string_view schemas;  // the release that the operators' schemas are from
  std::int64_t aten_opset;   // ExportedProgram::opset_version of aten in that release
};
const OperatorReleases& operator_releases() noexcept;

/// Returns the number of operators in the table.
std::size_t operator_count() noexcept;

/// Returns the operator at `index`, which must be below operator_count(). Operators are sorted by name.
const Operator& operator_at(std::size_t index);

/// Returns the index of the argument `name`, or op.arguments.size() if the operator has none.
std::size_t argument_position(const Operator& op, std::string_view name) noexcept;

bool has_tag(const Operator& op, OperatorTag tag) noexcept;

/// PyTorch's operators and those that you add:
///
///     pt2::OperatorSet operators;
///     operators.add("my::scale(Tensor x, float a=2.0) -> Tensor");
///
/// Copies are independent.
class OperatorSet {
 public:
  /// Adds an operator, replacing any with the same name. Returns it, so that you can set its tags and
  /// has_effects. Throws the DataErrors of parse_operator().
  Operator& add(std::string_view schema);
  Operator& add(Operator op);

  /// Makes inference treat results of `op`, an operator of this set, like those of `other`, whose arguments
  /// must have the same names. If `other` is null, `op` is inferred by its own rule, if there is one. `other`
  /// must outlive this set and its copies.
  void infer_as(const Operator& op, const Operator* other);
  /// Returns the operator whose rule infers the results of `op`: `op` itself, or the one passed to
  /// infer_as().
  const Operator& inferred_as(const Operator& op) const;

  /// Returns the operator for a node's `target`, or null if it is unknown. Valid until the set is destroyed
  /// or an operator of that name is added.
  const Operator* find(std::string_view target) const;

 private:
  std::map<std::string, Operator, std::less<>> own_;  // by target
  std::map<std::string, const Operator*, std::less<>> inferred_as_;
};

/// Reads operators from text with one operator per line, in the format of parse_operator_line(). Skips empty
/// lines and lines that start with `#`. `name` is the text's name in messages.
///
/// Throws the DataErrors of parse_operator_line(), preceded by `NAME:LINE: `, and DataError for a duplicate
/// operator.
OperatorSet read_operators(std::string_view text, std::string_view name);

}  // namespace pt2
