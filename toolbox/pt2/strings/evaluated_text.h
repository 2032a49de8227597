// Checks text that torch evaluates: expressions (sympy evaluates them on loading) and guards (torch makes
// them a Python function). Text that torch is not known to write is a DataError, even if it is harmless.
#pragma once

#include <string_view>

namespace pt2 {

/// Checks `SymExpr.expr_str`. Allows numbers, symbols, Python's operators, and the functions of sympy and
/// torch that torch writes, with the right number of operands. Attributes, items, strings and keywords are
/// allowed only in Symbol and Float. A bare symbol must be a letter, `zf` or `zuf` with a number (`s0`),
/// because sympy may define other names. Source: GraphModuleDeserializer.sympy_functions
/// (torch/_export/serde/serialize.py), torch/utils/_sympy/functions.py, sympy/printing/repr.py.
void check_evaluated_expression(std::string_view text);

/// Checks an item of `guards_code`. Allows the same operators, the functions that torch's printer writes, and
/// inputs with items, attributes, sizes, strides and offsets: `L['x'][0].size()[1]`. Source: PythonPrinter
/// (torch/utils/_sympy/printers.py), _convert_guards_code_to_fn (torch/export/_unlift.py).
void check_executed_guard(std::string_view text);

}  // namespace pt2
