#pragma once

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

bool is_number(Argument::Kind kind);

/// Returns whether the argument matches the type. A number also matches Tensor, a single int matches
/// `int[2]`, an empty list matches any list, and everything matches an unknown type.
bool fits(const Argument& argument, const OperatorType& type);

}  // namespace pt2
