// Values as Python prints them.
#pragma once

#include <string>
#include <string_view>

namespace generator {

/// `value` as `repr` gives it: the shortest digits that read back as the same double, with a point or an
/// exponent. Finite values only.
std::string python_repr(double value);

/// `text`, UTF-8, as `repr` gives it: in single quotes unless it holds those and no double ones.
/// Limits: all that is not ASCII counts as printable.
std::string python_repr(std::string_view text);

}  // namespace generator
