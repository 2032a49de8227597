// Which arguments an operator's schema takes.
#pragma once

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// Whether arguments of this kind are numbers, or symbols of numbers.
bool is_number(Argument::Kind kind);

/// Whether `argument` can be what a schema says of it: a number is a Tensor, too, one int an `int[2]`, and an
/// empty list one of any kind. Types of which nothing is known take all.
bool fits(const Argument& argument, const OperatorType& type);

}  // namespace pt2
