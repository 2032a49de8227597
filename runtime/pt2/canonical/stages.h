// The stages of canonicalize().
#pragma once

#include "pt2/canonical/value_tables.h"
#include "pt2/operators/operators.h"

namespace pt2 {

/// Orders the nodes of `program` and its subgraphs by structure, independently of their names and original
/// order. Nodes with effects (see effects.h) keep their order, each after its operands. Then come the nodes
/// that the outputs depend on, starting from the first output, and then dead nodes. A node that might see
/// another node's writes stays on the same side of them.
///
/// Dead nodes are ordered by refinement.h. In unusual graphs, nodes that look alike but are not
/// interchangeable keep their original order.
///
/// Dicts must be sorted by key. Throws DataError if a value is defined twice or used before its definition.
/// Takes O(n log^2 n) time in the number of nodes and operands, or O(n log n) without dead nodes.
void order_nodes(ExportedProgram& program, const OperatorSet& operators);

/// Renames values as CanonicalForm::names describes, also in the signature and the module calls, and sorts
/// the value tables. Distinct names stay distinct.
///
/// Returns the unused entries, which are renamed but not yet in a canonical order: see value_tables.h. Adds
/// the original names to `original`, which must outlive the result.
UnusedEntries rename_values(GraphModule& module, OriginalNames* original = nullptr);

UnusedEntries rename_values(Graph& graph);

/// Renames the symbols of `program` to `s0`, `s1` and so on; torch's kinds `u`, `zf` and `zuf` keep their
/// prefixes. Symbols are numbered in the order of the values whose size, stride, offset or value they are.
/// Then come symbols that occur only inside expressions, then symbols in constraints, and then symbols in
/// unused entries and guards. Where this is ambiguous, the places of the symbols decide (see refinement.h).
/// Call this function after rename_values(), with its result.
///
/// Updates and sorts `range_constraints` and `guards_code`, and sorts the operands of sympy's commutative
/// functions. Guards are read as Python. Returns the original names by the new ones.
schemagen::Map<std::string> rename_symbols(ExportedProgram& program, const UnusedEntries& unused);

/// Changes `program` to CanonicalForm::torch. Throws DataError where torch raises an exception. Renames a
/// graph before its subgraphs, so that errors occur in the same order as in torch.
void canonicalize_as_torch(ExportedProgram& program);

}  // namespace pt2
