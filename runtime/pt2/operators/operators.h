// PyTorch's operators and user-defined ones: their schemas and effects.
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
/// The table has aten, prims, quantized_decomposed, higher_order, and the Python functions of numbers and
/// symbols that nodes can call: see operator_releases(). O(1); operators are decoded on first use and cached.
const Operator* find_operator(std::string_view target);

/// The same with the arguments and results of a PyTorch release, such as `2.6`, as far as they are known.
/// Null if that release lacks the operator.
const Operator* find_operator(std::string_view target, std::string_view release);

/// Whether release `a` of PyTorch 2 is earlier than `b`. Both are written as `2.6`.
bool is_earlier_release(std::string_view a, std::string_view b) noexcept;

/// The releases that the table of operators covers.
struct OperatorReleases {
  std::string_view first;    // the first release, `2.1`
  std::string_view last;     // the last release
  std::string_view schemas;  // the release whose schemas the operators have
  std::int64_t aten_opset;   // ExportedProgram::opset_version of aten in that release
};
const OperatorReleases& operator_releases() noexcept;

/// The number of operators in the table.
std::size_t operator_count() noexcept;

/// Returns an operator of the table. `index` is below operator_count(); operators are sorted by name.
const Operator& operator_at(std::size_t index);

/// Returns the index of the argument `name`, or op.arguments.size() if there is none.
std::size_t argument_position(const Operator& op, std::string_view name) noexcept;

bool has_tag(const Operator& op, OperatorTag tag) noexcept;

/// PyTorch's operators, and the ones you add:
///
///     pt2::OperatorSet operators;
///     operators.add("my::scale(Tensor x, float a=2.0) -> Tensor");
///
/// Copies are independent.
class OperatorSet {
 public:
  /// Adds an operator, replacing any with the same name. Returns it, so that you can set its tags and
  /// has_effects. Throws DataError as parse_operator() does.
  Operator& add(std::string_view schema);
  Operator& add(Operator op);

  /// Makes inference treat results of `op`, one of this set, as those of `other`, whose arguments have the
  /// same names; null: by its own rule, if there is one. `other` must outlive this and its copies.
  void infer_as(const Operator& op, const Operator* other);
  /// Returns the operator by whose rule results of `op` are inferred: `op`, or that of infer_as().
  const Operator& inferred_as(const Operator& op) const;

  /// Returns the operator for a node's `target`; null if it is unknown. Valid until the set is destroyed or
  /// an operator of that name is added.
  const Operator* find(std::string_view target) const;

 private:
  std::map<std::string, Operator, std::less<>> own_;  // by target
  std::map<std::string, const Operator*, std::less<>> inferred_as_;
};

/// Reads operators from text with one per line, in the format of parse_operator_line(). Empty lines and lines
/// that start with `#` are skipped. `name`: of the text, for messages.
///
/// Throws DataError as parse_operator_line() does, with `NAME:LINE: ` in front, or for a duplicate operator.
OperatorSet read_operators(std::string_view text, std::string_view name);

}  // namespace pt2
