// Conditions on a program's inputs: guards_code. All functions may be called from several threads at once.
#pragma once

#include <string>
#include <vector>

#include "pt2/text/expression.h"

namespace pt2 {

/// A condition that torch checks before it runs a program, a Python expression:
/// `(L['x'].size()[0] // 2) != 1 and L['x'].size()[0] <= 16`.
struct Guard {
  std::string text;                // verbatim
  std::vector<Expression> terms;   // which all have to hold; empty: the text could not be read
  std::vector<std::string> names;  // what it asks of the inputs, `L['x'].size()[0]`: each once, in order
  std::string error;               // why it could not be read, with the byte; empty: it could
};

/// Takes any text. For what can be read see parse_expression(); evaluate() gives the value of a term.
Guard read_guard(std::string text);

/// A condition in the spelling of torch's guards, `(s0 // 2) != 1`. Of the terms of a guard that torch wrote
/// over whole numbers, joined as a call of And, the same bytes. Source: torch/utils/_sympy/printers.py,
/// PythonPrinter.
std::string guard_text(const Expression& condition);

/// The same of all terms of a guard; its text if it could not be read.
std::string guard_text(const Guard& guard);

}  // namespace pt2
