#pragma once

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// Returns a default as an argument. For example, 4 for a ScalarType becomes as_scalar_type LONG. Numbers
/// that only c10 has become UNKNOWN.
Argument argument_of(const OperatorValue& value, const OperatorType& type);

}  // namespace pt2
