// Texts of a program that torch evaluates as code: expressions, which it gives to sympy's evaluator when
// it loads the program, and guards, which it makes a Python function of.
//
// What is not known to be written by torch is an error, also where it would do no harm. Errors: DataError.
#pragma once

#include <string_view>

namespace pt2 {

/// Checks `SymExpr.expr_str`: numbers, symbols, Python's operators, and the functions of sympy and torch that
/// torch writes, each with its number of operands; no attributes, items, strings or keywords but those of
/// Symbol and Float. A symbol in plain text is a letter, `zf` or `zuf` with
/// a number, `s0`, as sympy may take other names to be its own.
/// Source: GraphModuleDeserializer.sympy_functions (torch/_export/serde/serialize.py),
/// torch/utils/_sympy/functions.py, sympy/printing/repr.py.
void check_evaluated_expression(std::string_view text);

/// Checks a text of `guards_code`: the same operators, the functions that torch's printer writes, and inputs
/// with their items and attributes, whose sizes, strides and offsets it may ask: `L['x'][0].size()[1]`.
/// Source: PythonPrinter (torch/utils/_sympy/printers.py), _convert_guards_code_to_fn
/// (torch/export/_unlift.py).
void check_executed_guard(std::string_view text);

}  // namespace pt2
