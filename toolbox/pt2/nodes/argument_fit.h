// Whether arguments match an operator's schema.
#pragma once

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// Whether arguments of this kind are numbers, symbolic or not.
bool is_number(Argument::Kind kind);

/// Whether `argument` matches a schema type. A number also matches Tensor, one int matches `int[2]`, and an
/// empty list matches any list. Unknown types match everything.
bool fits(const Argument& argument, const OperatorType& type);

}  // namespace pt2
