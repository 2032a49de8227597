// The symbols that a program has, and new ones.
#pragma once

#include <string>
#include <string_view>

#include "pt2/strings/expression_value.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// The names of the symbols that the expressions of `program` have, those of its ranges included.
schemagen::Map<bool> symbols_of(const ExportedProgram& program);

/// Errors: UsageError if one of `bindings` is of a symbol that the program does not have.
void require_symbols(const ExportedProgram& program, const Bindings& bindings);

/// `wanted`, or if that is among `taken`, its letters and the first number that is free. It is taken from now
/// on.
std::string take_symbol(std::string_view wanted, schemagen::Map<bool>& taken);

}  // namespace pt2
