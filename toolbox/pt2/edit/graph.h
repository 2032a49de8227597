// Changes to graphs: nodes, uses of values, inputs and outputs. They invalidate an index of the graph: see
// GraphIndex::is_current().
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

/// Calls `visit(name)` for all names that share a namespace in torch: the values that `graph` defines, and
/// its nodes.
template <class Visit>
void for_each_defined_name(const Graph& graph, const Visit& visit) {
  for_each_name(graph.inputs, visit);
  for (const Node& node : graph.nodes) {
    for_each_name(node.outputs, visit);
    if (node.name) visit(*node.name);
  }
}

/// Makes new names that do not collide with those of a graph's values, nodes and subgraphs.
class FreshNames {
 public:
  explicit FreshNames(const Graph& graph);

  /// Takes exactly `name`. Returns whether it was free.
  bool claim(const std::string& name) { return taken_.try_emplace(name).second; }

  /// Takes and returns `wanted` or, if that is taken or a Python name (`sum`), its stem with the next
  /// number, as torch counts: `add`, `add_1`, `add_2`. Amortized O(1).
  std::string take(std::string_view wanted);

 private:
  schemagen::Map<bool> taken_;
  schemagen::Map<std::size_t> counts_;  // the last number that follows a name
};

/// Replacements of values, by name: other values, or literals.
using Substitutes = schemagen::Map<Argument>;

/// Returns the name of the value that `argument` is; null for a list, a literal or none.
const std::string* value_of(const Argument& argument);

/// Returns the value `name`, which is in `table`, as an argument; an object has no class in it.
Argument value_argument(ValueName::Table table, const std::string& name);

/// Returns the value `name` of `graph` as an argument. Throws DataError if no table has it.
Argument value_argument(const Graph& graph, const std::string& name);

/// Replaces the values that `argument` uses, in lists and dicts too. Does not look into the replacements.
/// Throws UsageError if a list or dict cannot hold a replacement.
void substitute(const Substitutes& substitutes, Argument& argument);
void substitute(const Substitutes& substitutes, std::vector<Argument>& arguments);

/// Returns descriptions of what uses the value `name` of `graph`, a graph of `program`: `'relu'` for a
/// node with results, `the operator 'torch...'` for one without, `an output`, `a mutation or gradient of
/// it`, `the signature of module 'layer'`. O(graph).
std::vector<std::string> users_of(const ExportedProgram& program, const Graph& graph, std::string_view name);

/// Returns the values that signatures of modules name.
schemagen::Map<bool> module_values(const GraphModule& module);

/// Returns the first five of `users` and the number of others: `'a', 'b' and 3 more`.
std::string users_text(const std::vector<std::string>& users);

/// Replaces uses of values: in the nodes of `graph` from number `first` on, in its outputs, and, for the
/// top graph, in the signature of its outputs and of modules. The definitions stay. Numbers and bools can
/// be replaced by literals. Invalidates a GraphIndex of the graph.
///
/// Throws UsageError, and leaves the program unchanged, if the graph lacks a value or its substitute, or
/// if a substitute is of another kind or not yet defined where it would be used.
void replace_uses(ExportedProgram& program, Graph& graph, const Substitutes& substitutes,
                  std::size_t first = 0);

/// The same for outputs and signatures only, without checks: the caller has replaced the uses in nodes, or
/// made sure that it can be done.
void replace_output_uses(ExportedProgram& program, Graph& graph, const Substitutes& substitutes);

/// Inserts the nodes of `part` before node `at` of `graph`, or at its end. `inputs` replace the inputs of
/// `part`; any other name that it uses is a value of `graph`. Values that `part` defines keep their names
/// if these are free, or else get new ones like torch's. Returns the outputs of `part`.
///
/// Throws UsageError, and leaves the graph unchanged, if there is no such place, `part` uses a value that
/// is not defined there, or an input cannot be used where `part` uses it.
std::vector<Argument> insert_before(Graph& graph, std::size_t at, const Graph& part,
                                    const std::vector<Argument>& inputs = {});
/// The same after node `at`.
std::vector<Argument> insert_after(Graph& graph, std::size_t at, const Graph& part,
                                   const std::vector<Argument>& inputs = {});

/// Returns a graph of one node to insert. Its results are tensors, described by `results` in order, and
/// are the graph's outputs.
Graph graph_of_node(Node node, const std::vector<TensorMeta>& results);

/// Removes node `at` of `graph`, a graph of `program`, and the table entries of its results. Throws
/// UsageError, and leaves the program unchanged, if there is no such node, or its results are used; the
/// message names the users.
void erase_node(ExportedProgram& program, Graph& graph, std::size_t at);

/// Sets the argument `name` of node `at` of `graph`, which may have been left out, in the form of the
/// operator's schema: its kind, and keyword or position. Throws UsageError, and leaves the graph
/// unchanged, if there is no such node or argument, the operator is unknown, its schema does not accept
/// the value, or the value is not defined before the node.
void set_argument(Graph& graph, std::size_t at, std::string_view name, Argument value,
                  const OperatorSet& operators = {});

// The inputs and outputs of a program. What is changed: the graph, its signature, and the trees of arguments
// and results in the first entry of module_call_graph, if there is one. Sample inputs, which an archive holds
// beside the program, are not: torch makes no module of a program with sample inputs that it cannot be called
// with.

/// Adds a positional input after the others. A new symbol in its sizes also needs an entry in
/// range_constraints. Throws UsageError, and leaves the program unchanged, if the name is taken or not a
/// valid Python name.
void add_input(ExportedProgram& program, const std::string& name, TensorMeta meta);

/// Removes an input: a user input, parameter, buffer, constant or object. Throws UsageError, and leaves
/// the program unchanged, if there is no such input, it is used (the message says by what), an output
/// mutates what it represents, or the tree of arguments has it in a container of fixed size.
void remove_input(ExportedProgram& program, std::string_view name);

/// Adds the value `value` of the graph as the last user output. A program with a single result then
/// returns a tuple. Throws UsageError, and leaves the program unchanged, if there is no such value.
void add_output(ExportedProgram& program, const std::string& value);

/// Removes all outputs that are `value`: user outputs, mutations, losses. The value stays. Throws
/// UsageError, and leaves the program unchanged, if there is no such output, or the tree of results has it
/// in a container of fixed size.
void remove_output(ExportedProgram& program, std::string_view value);

}  // namespace pt2
