// The schemas and effects of PyTorch's operators and of your own.
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

/// Returns PyTorch's operator for a node's `target`, e.g. `torch.ops.aten.add.Tensor`, or null if it is
/// unknown. The table contains the namespaces aten, prims, quantized_decomposed and higher_order, and the
/// Python functions on numbers and symbols that nodes can call. operator_releases() tells which releases the
/// table covers. O(1): operators are decoded on first use and cached.
const Operator* find_operator(std::string_view target);

/// Returns the operator as it is in a PyTorch release such as `2.6`, with that release's arguments and
/// results as far as they are known. Returns null if that release lacks the operator.
const Operator* find_operator(std::string_view target, std::string_view release);

/// Returns whether PyTorch release `a` is earlier than `b`. Both are written like `2.6`; the major version is
/// 2.
bool is_earlier_release(std::string_view a, std::string_view b) noexcept;

/// The releases that the table of operators covers.
struct OperatorReleases {
  std::string_view first;    // the first release, `2.1`
  std::string_view last;     // the last release
  std::string_view schemas;  // the release that the operators' schemas come from
  std::int64_t aten_opset;   // the aten version in ExportedProgram::opset_version, in that release
};
const OperatorReleases& operator_releases() noexcept;

/// Returns the number of operators in the table.
std::size_t operator_count() noexcept;

/// Returns the operator at `index`, which must be less than operator_count(). Operators are sorted by name.
const Operator& operator_at(std::size_t index);

/// Returns the index of the argument `name`, or op.arguments.size() if the operator has no such argument.
std::size_t argument_position(const Operator& op, std::string_view name) noexcept;

bool has_tag(const Operator& op, OperatorTag tag) noexcept;

/// PyTorch's operators and those that you add:
///
///     pt2::OperatorSet operators;
///     operators.add("my::scale(Tensor x, float a=2.0) -> Tensor");
///
/// Copies of a set are independent.
class OperatorSet {
 public:
  /// Adds an operator, replacing any operator with the same name. Returns the new operator; you can then set
  /// its tags and has_effects. Throws the DataErrors of parse_operator().
  Operator& add(std::string_view schema);
  Operator& add(Operator op);

  /// Makes type inference use the rule of `other` for `op`, an operator of this set. The arguments of both
  /// must have the same names. If `other` is null, inference uses the rule of `op` itself, if there is one.
  /// `other` must outlive this set and its copies.
  void infer_as(const Operator& op, const Operator* other);
  /// Returns the operator whose inference rule applies to `op`: the one passed to infer_as(), or `op` itself.
  const Operator& inferred_as(const Operator& op) const;

  /// Returns the operator for a node's `target`, or null if it is unknown. The pointer is valid until the set
  /// is destroyed or an operator with that name is added.
  const Operator* find(std::string_view target) const;

 private:
  std::map<std::string, Operator, std::less<>> own_;  // by target
  std::map<std::string, const Operator*, std::less<>> inferred_as_;
};

/// Reads operators from a text with one operator per line, in the format of parse_operator_line(). Skips
/// empty lines and lines that start with `#`. Messages refer to the text as `name`.
///
/// Throws DataError if an operator occurs twice, and the DataErrors of parse_operator_line(). All messages
/// begin with `NAME:LINE: `.
OperatorSet read_operators(std::string_view text, std::string_view name);

}  // namespace pt2
