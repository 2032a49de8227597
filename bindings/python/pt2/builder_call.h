#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "pt2/edit/builder.h"

namespace pt2::python {

struct CallOperands {
  std::vector<Operand> positional;
  std::vector<NamedOperand> named;
};

/// Errors name the argument.
CallOperands operands_of(const std::string& target, const nanobind::args& arguments,
                         const nanobind::kwargs& keywords);

/// Errors name the argument. Also throws whatever GraphBuilder::call_all() throws.
std::vector<Value> call_operator(GraphBuilder& builder, const std::string& target,
                                 const nanobind::args& arguments, const nanobind::kwargs& keywords);

}  // namespace pt2::python
