// Default values of operators as arguments of a node.
#pragma once

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// Converts the default value of an argument of `type`: 4 for a ScalarType becomes as_scalar_type LONG.
/// Numbers of c10 without a counterpart become UNKNOWN.
Argument argument_of(const OperatorValue& value, const OperatorType& type);

}  // namespace pt2
