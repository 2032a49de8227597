#pragma once

#include <string>
#include <string_view>

#include "pt2/strings/expression_value.h"
#include "pt2/text/expression.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

schemagen::Map<bool> symbols_of(const ExportedProgram& program);

void require_symbols(const ExportedProgram& program, const Bindings& bindings);

/// Returns `name` or, if that is taken, the first free name that is `prefix` and a number from `number` on,
/// and adds it to `taken`.
std::string free_name(std::string name, const std::string& prefix, std::size_t number,
                      schemagen::Map<bool>& taken);

/// Replaces sizes of inputs such as `(s16 - 1)//2 + 1` by new symbols if no input defines their symbols:
/// torch cannot run such a program. `whole` is the signature of the program that `part` was extracted from.
/// Where possible, the new symbols also replace the same expressions elsewhere. Throws DataError if a size is
/// not a valid expression.
void free_sizes(ExportedProgram& part, const GraphSignature& whole);

/// The symbols of a program that is appended to another.
struct JoinedSymbols {
  schemagen::Map<bool> taken;  // the symbols of the first program
  /// By symbol of the second program, the expression that replaces it.
  schemagen::Map<Expression> known = {};
};

/// Makes the sizes `taken` of the second program equal to the sizes `given` of the first. Error messages
/// call the value `what`. Throws UsageError if the sizes cannot be equal.
void connect_sizes(JoinedSymbols& symbols, const std::vector<SymInt>& given, const std::vector<SymInt>& taken,
                   const std::string& what);

/// Replaces the known symbols in `second`, renames other symbols that clash, and merges the ranges into
/// the first program's `ranges`. Throws UsageError if two ranges to merge are disjoint.
void join_symbols(JoinedSymbols& symbols, ExportedProgram& second, schemagen::Map<RangeConstraint>& ranges);

}  // namespace pt2
