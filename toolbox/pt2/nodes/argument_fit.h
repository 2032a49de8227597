#pragma once

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

bool is_number(Argument::Kind kind);

/// A number also fits Tensor, one int fits `int[2]`, an empty list any list, and everything an unknown type.
bool fits(const Argument& argument, const OperatorType& type);

}  // namespace pt2
