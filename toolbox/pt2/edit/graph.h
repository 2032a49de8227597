// Changes the nodes, uses of values, inputs and outputs of graphs. A change invalidates an index of the
// graph; see GraphIndex::is_current().
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/graph/walk.h"
#include "pt2/operators/operators.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// Calls `visit(name)` for the names of all values that `graph` defines and of its nodes. In torch, these
/// share a namespace.
template <class Visit>
void for_each_defined_name(const Graph& graph, const Visit& visit) {
  for_each_name(graph.inputs, visit);
  for (const Node& node : graph.nodes) {
    for_each_name(node.outputs, visit);
    if (node.name) visit(*node.name);
  }
}

/// Creates names that are not used by any value, node or subgraph of a graph.
class FreshNames {
 public:
  explicit FreshNames(const Graph& graph);

  /// Reserves exactly `name`. Returns whether it was free.
  bool claim(const std::string& name) { return taken_.try_emplace(name).second; }

  /// Reserves and returns `wanted`. If `wanted` is taken or is a Python name (e.g. `sum`), reserves its stem
  /// with the next number instead, as torch does: `add`, `add_1`, `add_2`. Takes amortized O(1) time.
  std::string take(std::string_view wanted);

 private:
  schemagen::Map<bool> taken_;
  schemagen::Map<std::size_t> counts_;  // the last number appended to each name
};

/// Maps names of values to their replacements, which are other values or literals.
using Substitutes = schemagen::Map<Argument>;

/// Returns the name of the value in `argument`, or null if it is a list, a literal or None.
const std::string* value_of(const Argument& argument);

/// Returns the value `name` from `table` as an argument. The argument for an object has no class.
Argument value_argument(ValueName::Table table, const std::string& name);

/// Returns the value `name` of `graph` as an argument. Throws DataError if no table has it.
Argument value_argument(const Graph& graph, const std::string& name);

/// Replaces the values that `argument` uses, including those in lists and dicts. Replacements are not
/// themselves replaced. Throws UsageError if a list or dict cannot hold a replacement.
void substitute(const Substitutes& substitutes, Argument& argument);
void substitute(const Substitutes& substitutes, std::vector<Argument>& arguments);

/// Returns a description of each use of the value `name` in `graph`, which is a graph of `program`. A node
/// with results is described as `'relu'`, and a node without as `the operator 'torch...'`. Other descriptions
/// are `an output`, `a mutation or gradient of it`, and `the signature of module 'layer'`. Takes time linear
/// in the graph's size.
std::vector<std::string> users_of(const ExportedProgram& program, const Graph& graph, std::string_view name);

/// Returns the values named in the signatures of modules.
schemagen::Map<bool> module_values(const GraphModule& module);

/// Returns the first five of `users` and the number of the others, e.g. `'a', 'b' and 3 more`.
std::string users_text(const std::vector<std::string>& users);

/// Replaces uses of values: in the nodes of `graph` from number `first` on, in its outputs, and, for the top
/// graph, in the signature of its outputs and of modules. The definitions stay. Numbers and bools may be
/// replaced with literals. Invalidates a GraphIndex of the graph.
///
/// Throws UsageError, and leaves the program unchanged, if the graph lacks a value or its substitute, or if a
/// substitute has another kind or is not yet defined where it would be used.
void replace_uses(ExportedProgram& program, Graph& graph, const Substitutes& substitutes,
                  std::size_t first = 0);

/// Replaces uses in outputs and signatures only, without checks: the caller has already replaced the uses in
/// nodes, or made sure that this is possible.
void replace_output_uses(ExportedProgram& program, Graph& graph, const Substitutes& substitutes);

/// Inserts the nodes of `part` before node `at` of `graph`, or at its end. `inputs` replace the inputs of
/// `part`; any other name that `part` uses is a value of `graph`. Values that `part` defines keep their names
/// if these are free, and otherwise get new ones like torch's. Returns the outputs of `part`.
///
/// Throws UsageError, and leaves the graph unchanged, if there is no such node, if `part` uses a value that
/// is not defined before it, or if an input cannot be used where `part` uses it.
std::vector<Argument> insert_before(Graph& graph, std::size_t at, const Graph& part,
                                    const std::vector<Argument>& inputs = {});
/// Does the same, but inserts the nodes after node `at`.
std::vector<Argument> insert_after(Graph& graph, std::size_t at, const Graph& part,
                                   const std::vector<Argument>& inputs = {});

/// Returns a graph with one node, to be inserted. Its results are tensors, described by `results` in order,
/// and are the graph's outputs.
Graph graph_of_node(Node node, const std::vector<TensorMeta>& results);

/// Removes node `at` of `graph`, a graph of `program`, and the table entries of its results. Throws
/// UsageError, and leaves the program unchanged, if there is no such node or its results are used; the
/// message names the users.
void erase_node(ExportedProgram& program, Graph& graph, std::size_t at);

/// Sets the argument `name` of node `at` of `graph`, even if the node omits it so far, in the form that the
/// operator's schema requires: kind, and keyword or position. Throws UsageError, and leaves the graph
/// unchanged, if there is no such node or argument, if the operator is unknown, if its schema does not accept
/// the value, or if the value is not defined before the node.
void set_argument(Graph& graph, std::size_t at, std::string_view name, Argument value,
                  const OperatorSet& operators = {});

// The functions below change the inputs and outputs of a program: the graph, its signature, and the trees of
// arguments and results in the first entry of module_call_graph, if there is one. They do not change the
// sample inputs that an archive stores next to the program; torch cannot make a module from a program that
// cannot be called with its sample inputs.

/// Adds a positional input after the others. A new symbol in its sizes also needs an entry in
/// range_constraints. Throws UsageError, and leaves the program unchanged, if the name is taken or not a
/// valid Python name.
void add_input(ExportedProgram& program, const std::string& name, TensorMeta meta);

/// Removes an input: a user input, parameter, buffer, constant or object. Throws UsageError, and leaves the
/// program unchanged, if there is no such input, if it is used (the message says where), if an output mutates
/// it or its weight, or if its container in the tree of arguments has a fixed size.
void remove_input(ExportedProgram& program, std::string_view name);

/// Adds the value `value` of the graph as the last user output. A program with a single result then
/// returns a tuple. Throws UsageError, and leaves the program unchanged, if there is no such value.
void add_output(ExportedProgram& program, const std::string& value);

/// Removes all outputs that are `value`: user outputs, mutations, losses. The value stays. Throws UsageError,
/// and leaves the program unchanged, if there is no such output, or if it is in a container of fixed size in
/// the tree of results.
void remove_output(ExportedProgram& program, std::string_view value);

}  // namespace pt2
