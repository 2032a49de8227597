// Calls of operators with arguments from Python.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "pt2/edit/builder.h"

namespace pt2::python {

/// Adds a call to `builder` and returns its results. Throws TypeError or ValueError with the name of the
/// argument; UsageError of GraphBuilder::call_all().
std::vector<Value> call_operator(GraphBuilder& builder, const std::string& target,
                                 const nanobind::args& arguments, const nanobind::kwargs& keywords);

}  // namespace pt2::python
