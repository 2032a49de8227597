// Symbols of a program.
#pragma once

#include <string>
#include <string_view>

#include "pt2/strings/expression_value.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// Returns the symbols in all expressions and ranges of `program`.
schemagen::Map<bool> symbols_of(const ExportedProgram& program);

/// Throws UsageError if `bindings` has a symbol that the program lacks.
void require_symbols(const ExportedProgram& program, const Bindings& bindings);

/// Returns `wanted` or, if it is in `taken`, its letters with the first free number, and adds it to `taken`.
std::string take_symbol(std::string_view wanted, schemagen::Map<bool>& taken);

}  // namespace pt2
