// PyTorch's operators, and those that users add: what they take, give and do.
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

/// PyTorch's operator that nodes name by `target`, e.g. `torch.ops.aten.add.Tensor`; null if there is no
/// operator of that name. Those of aten, prims, quantized_decomposed and higher_order, and the functions of
/// numbers and symbols that nodes can call, see operator_releases(). O(1); an operator is decoded the first
/// time it is asked for, and kept.
const Operator* find_operator(std::string_view target);

/// The same as `release` of PyTorch, `2.6`, has it: with the arguments and results of that release, as far as
/// they are known. Null: it has none of that name.
const Operator* find_operator(std::string_view target, std::string_view release);

/// Whether release `a` of PyTorch 2 came before `b`, both as `2.6`.
bool is_earlier_release(std::string_view a, std::string_view b) noexcept;

/// Where the operators that find_operator() knows come from.
struct OperatorReleases {
  std::string_view first;    // of PyTorch, `2.1`: operators of all releases from this one
  std::string_view last;     // to this one are known
  std::string_view schemas;  // the one whose schemas they have
  std::int64_t aten_opset;   // of that one: ExportedProgram::opset_version of aten
};
const OperatorReleases& operator_releases() noexcept;

/// How many find_operator() knows.
std::size_t operator_count() noexcept;

/// Each of these, by index below operator_count(), in the order of their names.
const Operator& operator_at(std::size_t index);

/// The place of the argument `name`; op.arguments.size(): there is none.
std::size_t argument_position(const Operator& op, std::string_view name) noexcept;

bool has_tag(const Operator& op, OperatorTag tag) noexcept;

/// PyTorch's operators, and those that you add:
///
///     pt2::OperatorSet operators;
///     operators.add("my::scale(Tensor x, float a=2.0) -> Tensor");
///
/// A value: a copy has operators of its own.
class OperatorSet {
 public:
  /// Adds an operator, replacing any of the same name, and returns it, so that what a schema string cannot
  /// say can be set: tags, has_effects. Errors: see parse_operator().
  Operator& add(std::string_view schema);
  /// The same of an operator that was put together otherwise.
  Operator& add(Operator op);

  /// The operator that nodes name by `target`; null: unknown. Valid as long as the set is, and until one of
  /// that name is added.
  const Operator* find(std::string_view target) const;

 private:
  std::map<std::string, Operator, std::less<>> own_;  // by target
};

/// The operators of a text with one in each line: a schema string and, behind ` # `, words of what that
/// cannot say, as schema/operators.txt has them: tags, `has_effects`, `may_return_inputs`,
/// `writes:ARGUMENTS`. Lines that are empty or begin with `#` are skipped. `name` is what messages call the
/// text.
///
/// Errors: DataError, `NAME:LINE: what is wrong`, see parse_operator_line(); an operator that is there twice.
OperatorSet read_operators(std::string_view text, std::string_view name);

}  // namespace pt2
