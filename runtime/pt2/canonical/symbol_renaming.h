#pragma once

#include <string>

#include "pt2/canonical/unused_entries.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// Renames the symbols of `program` to `s0`, `s1` and so on; torch's kinds `u`, `zf` and `zuf` keep their
/// prefixes. Symbols are numbered in the order of the values whose size, stride, offset or value they are.
/// Then come symbols that occur only inside expressions, then symbols in constraints, and then symbols in
/// unused entries and guards. Where this is ambiguous, the places of the symbols decide (see refinement.h).
/// Call this function after rename_values(), with its result.
///
/// Updates and sorts `range_constraints` and `guards_code`, and sorts the operands of sympy's commutative
/// functions. Guards are read as Python. Returns the original names by the new ones.
schemagen::Map<std::string> rename_symbols(ExportedProgram& program, const UnusedEntries& unused);

}  // namespace pt2
