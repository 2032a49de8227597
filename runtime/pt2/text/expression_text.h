// Symbolic expressions as text for people. All functions may be called from several threads at once.
#pragma once

#include <string>
#include <string_view>

#include "pt2/text/expression.h"

namespace pt2 {

/// Readable text of an expression as it stands in SymExpr.expr_str, in either form:
/// `Mul(Integer(4), Pow(Symbol('s48', positive=True, integer=True), Integer(2)))` gives `4*s48**2`.
///
/// Operators are Python's (`//`, `%`, `<=`, `and`); functions without one keep their form, `Max(s0, 2)`. Text
/// that cannot be read as an expression stays as it is, but printable. Source: sympy/printing/repr.py;
/// torch/utils/_sympy/functions.py (PyTorch).
std::string expression_text(std::string_view expression);
std::string expression_text(const Expression& expression);

}  // namespace pt2
