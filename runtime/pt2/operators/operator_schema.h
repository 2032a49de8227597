#pragma once

#include <string>
#include <string_view>

#include "pt2/operators/types.h"

namespace pt2 {

using operators::Operator;

/// Returns the operator that a schema string declares, e.g. `my::scale(Tensor x, float a=2.0) -> Tensor`. `*`
/// precedes keyword-only arguments, and the operator writes to `Tensor(a!)`. The operator has no tags, and no
/// effects except its writes. The namespace `higher_order` makes it a higher-order operator; a dotted name
/// without `::` is a function with that target.
///
/// Throws DataError, with the byte offset, for a syntax error, a default value of the wrong type or a
/// duplicate argument. Complex default values are not supported. Source: torch._C.parse_schema of torch 2.13.
Operator parse_operator(std::string_view schema);

/// Returns the operator in a schema string, followed by ` # ` and words for what a schema cannot express:
/// names of tags, `has_effects`, `may_return_inputs`, `writes:A,B` (arguments that may be written to),
/// `since:2.4` and `until:2.6`. Also throws DataError for any other word.
Operator parse_operator_line(std::string_view line);

/// Returns the schema as PyTorch prints it.
std::string schema_text(const Operator& op);

std::string schema_text(const operators::OperatorType& type);

const operators::OperatorType& without_optional(const operators::OperatorType& type) noexcept;

}  // namespace pt2
