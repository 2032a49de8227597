// Default values of operators, as nodes would hold them if they were given.
#pragma once

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// A default value of an argument of `type`, e.g. 4 of a ScalarType as as_scalar_type LONG. Numbers of c10
/// that have no counterpart are UNKNOWN.
Argument argument_of(const OperatorValue& value, const OperatorType& type);

}  // namespace pt2
