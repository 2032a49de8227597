// Symbolic expressions as text for people.
#pragma once

#include <string>
#include <string_view>

namespace pt2 {

/// Readable text of an expression as it stands in SymExpr.expr_str, which is sympy's srepr:
/// `Mul(Integer(4), Pow(Symbol('s48', positive=True, integer=True), Integer(2)))` gives `4*s48**2`.
///
/// Operators are Python's (`//`, `%`, `<=`); functions without one keep their form, `Max(s0, 2)`. Text that
/// is no srepr, as torch up to 2.5 wrote (`4*s0 + 1`), or that is nested or long beyond sense, stays as it
/// is, but printable. Source: sympy/printing/repr.py; torch/utils/_sympy/functions.py (PyTorch).
std::string expression_text(std::string_view expression);

}  // namespace pt2
