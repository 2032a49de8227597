#pragma once

#include "pt2/operators/operators.h"

namespace pt2::python {

/// PyTorch's, and those declared with pt2.operator().
OperatorSet declared_operators();

}  // namespace pt2::python
