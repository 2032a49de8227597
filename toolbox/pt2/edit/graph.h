// Changes the nodes, uses of values, inputs and outputs of graphs. Any change invalidates every GraphIndex of
// the graph.
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

/// Calls `visit(name)` for the name of each node in `graph` and of each value that the graph defines. In
/// torch, nodes and values share a namespace.
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

  /// Reserves exactly `name`. Returns false if it was already taken.
  bool claim(const std::string& name) { return taken_.try_emplace(name).second; }

  /// Reserves and returns `wanted`. If `wanted` is taken or is a Python keyword or builtin (e.g. `sum`),
  /// reserves and returns a name with the next free number instead, as torch does: `add`, `add_1`, `add_2`.
  /// Takes amortized O(1) time.
  std::string take(std::string_view wanted);

 private:
  schemagen::Map<bool> taken_;
  schemagen::Map<std::size_t> counts_;  // the last number appended to each name
};

/// Maps the names of values to their replacements, which are other values or literals.
using Substitutes = schemagen::Map<Argument>;

/// Returns the name of the value in `argument`, or null if the argument is a list, a literal or None.
const std::string* value_of(const Argument& argument);

/// Returns an argument that refers to the value `name` in `table`. If the value is a custom object, the
/// argument has no class name.
Argument value_argument(ValueName::Table table, const std::string& name);

/// Returns an argument that refers to the value `name` of `graph`. Throws DataError if no table contains the
/// value.
Argument value_argument(const Graph& graph, const std::string& name);

/// Replaces the values that `argument` uses, including values in lists and dicts. Replacements are not
/// replaced in turn. Throws UsageError if a list or dict cannot hold a replacement.
void substitute(const Substitutes& substitutes, Argument& argument);
void substitute(const Substitutes& substitutes, std::vector<Argument>& arguments);

/// Returns a description of each use of the value `name` in `graph`, which is a graph of `program`. A node
/// that has results is described by the first one, e.g. `'relu'`; a node without results is described as
/// `the operator 'torch...'`. Other descriptions are `an output`, `a mutation or gradient of it`, and
/// `the signature of module 'layer'`. Takes time linear in the size of the graph.
std::vector<std::string> users_of(const ExportedProgram& program, const Graph& graph, std::string_view name);

/// Returns the names of all values that appear in the signatures of modules.
schemagen::Map<bool> module_values(const GraphModule& module);

/// Returns up to five items of `users`, and then the number of remaining items, e.g.
/// `'a', 'b', 'c', 'd', 'e' and 3 more`.
std::string users_text(const std::vector<std::string>& users, const char* separator = ", ");

/// Replaces uses of values in the nodes of `graph`, starting at node `first`, and in the graph's outputs. In
/// the top-level graph, also replaces uses in the output specs and in the signatures of modules. Does not
/// remove the definitions. Numbers and bools may be replaced with literals.
///
/// Throws UsageError, and leaves the program unchanged, if the graph lacks a value or its substitute, if a
/// substitute is of a different kind, or if a substitute would be used before its definition.
void replace_uses(ExportedProgram& program, Graph& graph, const Substitutes& substitutes,
                  std::size_t first = 0);

/// Replaces uses in outputs and signatures only, without checks. Call this function after replacing the uses
/// in nodes, or after making sure that all uses can be replaced.
void replace_output_uses(ExportedProgram& program, Graph& graph, const Substitutes& substitutes);

/// Inserts the nodes of `part` before node `at` of `graph`, or at the end if `at` is the number of nodes.
/// `inputs` replace the inputs of `part`; any other name that `part` uses but does not define refers to a
/// value of `graph`. Values that `part` defines keep their names if these are free, and otherwise get new
/// names of the form that torch uses. Returns the outputs of `part` under their names in `graph`.
///
/// Throws UsageError, and leaves the graph unchanged, if there is no such node, if `part` uses a value of
/// `graph` that is not defined before that node, or if an input is of the wrong kind for a place where `part`
/// uses it.
std::vector<Argument> insert_before(Graph& graph, std::size_t at, const Graph& part,
                                    const std::vector<Argument>& inputs = {});
/// Does the same, but inserts the nodes after node `at`.
std::vector<Argument> insert_after(Graph& graph, std::size_t at, const Graph& part,
                                   const std::vector<Argument>& inputs = {});

/// Removes node `at` of `graph` and the table entries for its results. `graph` is a graph of `program`.
/// Throws UsageError, and leaves the program unchanged, if there is no such node or if its results are used;
/// the message then names the users.
void erase_node(ExportedProgram& program, Graph& graph, std::size_t at);

/// Sets the argument `name` of node `at` of `graph`, or adds the argument if the node omits it. A new
/// argument is positional if the schema allows this and no earlier argument is omitted; otherwise it is a
/// keyword argument. Throws UsageError, and leaves the graph unchanged, if there is no such node or argument,
/// if the operator is unknown, if its schema does not accept the value, or if the value is not defined before
/// the node.
void set_argument(Graph& graph, std::size_t at, std::string_view name, Argument value,
                  const OperatorSet& operators = {});

// The functions below change the inputs and outputs of a program. They update the graph, its signature and,
// if module_call_graph has a first entry, the trees of arguments and results in that entry. They do not
// change the sample inputs that an archive stores next to the program. If the program cannot be called with
// those sample inputs, torch cannot create a module from the program.

/// Adds a positional input after the others. If its sizes contain a new symbol, you must also add an entry to
/// range_constraints. Throws UsageError, and leaves the program unchanged, if the name is taken or is not a
/// valid name in Python.
void add_input(ExportedProgram& program, const std::string& name, TensorMeta meta);

/// Removes a user input, parameter, buffer, constant or object from the inputs. Throws UsageError, and leaves
/// the program unchanged, if there is no such input, if the input is used (the message says where), if an
/// output mutates the input or its weight, or if the input's container in the tree of arguments has a fixed
/// size.
void remove_input(ExportedProgram& program, std::string_view name);

/// Adds the value `value` of the graph after the other user outputs. If the program returns a dict, `name` is
/// the new key, by default the name of the value. Otherwise the value is renamed to `name` unless that is
/// empty, and a program that returned a single value returns a tuple afterwards. Throws UsageError, and
/// leaves the program unchanged, if there is no such value, if the key or name is taken, if an input would be
/// renamed, or if the container of the results has a fixed size.
void add_output(ExportedProgram& program, const std::string& value, const std::string& name = {});

/// Replaces every user output that is `old_value` with the value `value` of the graph. The outputs keep their
/// positions and keys. Throws UsageError, and leaves the program unchanged, if there is no such output or
/// value.
void replace_output(ExportedProgram& program, std::string_view old_value, const std::string& value);

/// Removes every output that is `value`, including mutations and losses. The value itself remains in the
/// graph. Throws UsageError, and leaves the program unchanged, if there is no such output, or if the output's
/// container in the tree of results has a fixed size.
void remove_output(ExportedProgram& program, std::string_view value);

}  // namespace pt2
