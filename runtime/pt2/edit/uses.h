// The uses of values. All functions may be called from several threads at once, on different programs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/edit/substitution.h"
#include "pt2/types.h"
#include "schemagen/value/map.h"

namespace pt2 {

/// What uses the value `name` of `graph`, which is that of `program` or a subgraph of it, for people:
/// `'relu'` for a node that gives values, `the operator 'torch...'` for one that gives nothing, `an output`,
/// `a mutation or gradient of it`, `the signature of module 'layer'`. Empty: nothing does. O(graph).
std::vector<std::string> users_of(const ExportedProgram& program, const Graph& graph, std::string_view name);

/// The values that signatures of modules name.
schemagen::Map<bool> module_values(const GraphModule& module);

/// The first five of `users`, and how many more there are: `'a', 'b' and 3 more`.
std::string users_text(const std::vector<std::string>& users);

/// Puts `substitutes` in the place of values that are used: in the nodes of `graph` from number `first` on,
/// in its outputs, and, if it is the program's own, in the signature of its outputs and those of modules.
/// What defines the values stays. A GraphIndex of the graph is not valid after it. Substitutes of numbers and
/// truth values may be literals.
///
/// Errors: UsageError, and the program is as it was: the graph lacks the value, or its substitute; this is of
/// another kind, or is not yet defined where it would be used.
void replace_uses(ExportedProgram& program, Graph& graph, const Substitutes& substitutes,
                  std::size_t first = 0);

/// The same in the outputs and signatures only; for whoever has replaced what nodes use, or has made sure
/// that it can be done. No check is made.
void replace_output_uses(ExportedProgram& program, Graph& graph, const Substitutes& substitutes);

}  // namespace pt2
