// Schema strings: how PyTorch writes what an operator takes and gives.
#pragma once

#include <string>
#include <string_view>

#include "pt2/operators/types.h"

namespace pt2 {

using operators::Operator;

/// What the targets of all operators but functions begin with.
inline constexpr std::string_view kOperatorPrefix = "torch.ops.";

/// The operator that a schema string declares, e.g. `my::scale(Tensor x, float a=2.0) -> Tensor`: arguments
/// with types and default values, `*` before those that are given by keyword only, `Tensor(a!)` for what is
/// written to, results. It has no tags, and no effects beside what it writes to. The namespace `higher_order`
/// makes it a higher-order operator, a name with dots and no `::` a function, whose target is that name.
///
/// Errors: DataError with the byte where the text is none, a default value that does not fit its type, an
/// argument named twice. Default values that are complex are not supported. Source: what
/// torch._C.parse_schema of torch 2.13 reads.
Operator parse_operator(std::string_view schema);

/// The same with what follows the schema string behind ` # `: words of what it cannot say. These are the
/// names of tags, `has_effects`, `may_return_inputs`, `writes:A,B` (arguments that may be written to),
/// `since:2.4` and `until:2.6`. Errors: also DataError for any other word.
Operator parse_operator_line(std::string_view line);

/// The schema string of an operator, as PyTorch prints it.
std::string schema_text(const Operator& op);

/// The schema string of one type, e.g. `int[2]?`.
std::string schema_text(const operators::OperatorType& type);

/// The type without the `?` at its end.
const operators::OperatorType& without_optional(const operators::OperatorType& type) noexcept;

}  // namespace pt2
