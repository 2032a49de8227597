#pragma once

#include <string>

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

bool is_number(Argument::Kind kind);

/// Returns the kind of a literal that can replace a symbolic value, e.g. as_int for as_sym_int. Returns other
/// kinds unchanged.
Argument::Kind kind_of_literal(Argument::Kind value);

/// Returns the kind of `argument` in words, e.g. `sym ints` or `nothing`.
std::string kind_text(const Argument& argument);

/// Returns whether the argument matches the type. A number also matches Tensor, a single int matches
/// `int[2]`, an empty list matches any list, and everything matches an unknown type.
bool fits(const Argument& argument, const OperatorType& type);

}  // namespace pt2
