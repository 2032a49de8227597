#pragma once

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

bool is_number(Argument::Kind kind);

/// Returns whether the argument fits the type. A number also fits Tensor, one int fits `int[2]`, an empty
/// list fits any list, and everything fits an unknown type.
bool fits(const Argument& argument, const OperatorType& type);

}  // namespace pt2
