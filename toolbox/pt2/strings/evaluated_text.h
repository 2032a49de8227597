// Checks text that torch evaluates: expressions, which sympy evaluates during loading, and guards, which
// torch turns into a Python function. Throws DataError for text that torch is not known to write, even if it
// is harmless.
#pragma once

#include <string_view>

namespace pt2 {

/// Checks `SymExpr.expr_str`. Allows numbers, symbols, Python's operators, and the functions of sympy and
/// torch that torch writes, with the right number of operands. Attributes, items, strings and keywords are
/// allowed only in Symbol and Float. A bare symbol must be a letter, `zf` or `zuf` followed by a number (e.g.
/// `s0`), because sympy might define other names. Source: GraphModuleDeserializer.sympy_functions
/// (torch/_export/serde/serialize.py), torch/utils/_sympy/functions.py, sympy/printing/repr.py.
void check_evaluated_expression(std::string_view text);

/// Checks an item of `guards_code`. Allows the same operators, the functions that torch's printer writes, and
/// inputs with items, attributes, sizes, strides and offsets: `L['x'][0].size()[1]`. Source: PythonPrinter
/// (torch/utils/_sympy/printers.py), _convert_guards_code_to_fn (torch/export/_unlift.py).
void check_executed_guard(std::string_view text);

}  // namespace pt2
