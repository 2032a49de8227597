#pragma once

#include "pt2/operators/operators.h"

namespace pt2::python {

OperatorSet declared_operators();

}  // namespace pt2::python
