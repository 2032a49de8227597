// Nodes put into graphs and taken out. All functions may be called from several threads at once, on different
// programs. An index of a graph is not valid after it was changed: see GraphIndex::is_current().
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "pt2/graph/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// Puts the nodes of `part` before node number `at` of `graph`, or at its end: `inputs` stand where its
/// inputs are used, the other names that it uses are values of `graph`. What it defines keeps its names where
/// they are not taken, and gets new ones as torch makes them where they are. Returns the outputs of `part`.
///
/// Errors: UsageError, and the graph is as it was: there is no such place, it uses a value that is not
/// defined there, or an input cannot stand where it is used.
std::vector<Argument> insert_before(Graph& graph, std::size_t at, const Graph& part,
                                    const std::vector<Argument>& inputs = {});
/// The same after node number `at`.
std::vector<Argument> insert_after(Graph& graph, std::size_t at, const Graph& part,
                                   const std::vector<Argument>& inputs = {});

/// A graph of one node, to be inserted, whose results are tensors: `results` says of each, in order, what it
/// is, and the graph's outputs are these.
Graph graph_of_node(Node node, const std::vector<TensorMeta>& results);

/// Takes out node number `at` of `graph`, which is that of `program` or a subgraph of it, with what the
/// tables say of its results. Errors: UsageError, and the program is as it was: there is no such node, or its
/// results are used; then the message names the users.
void erase_node(ExportedProgram& program, Graph& graph, std::size_t at);

/// Gives node number `at` of `graph` another value for the argument `name`, which it may have had or not; as
/// the operator's schema has it, by its kind and as a keyword or by position. Errors: UsageError, and the
/// graph is as it was: there is no such node or argument, the operator is not known, its schema does not take
/// such a value, or what it names is not defined before the node.
void set_argument(Graph& graph, std::size_t at, std::string_view name, Argument value,
                  const OperatorSet& operators = {});

}  // namespace pt2
