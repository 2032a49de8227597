// Graphs changed: nodes put in and taken out, uses of values, inputs and outputs. An index of a graph is
// not valid after it was changed: see GraphIndex::is_current().
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

/// Calls `visit(name)` for what shares a namespace in torch: the values that `graph` defines, and its nodes.
template <class Visit>
void for_each_defined_name(const Graph& graph, const Visit& visit) {
  for_each_name(graph.inputs, visit);
  for (const Node& node : graph.nodes) {
    for_each_name(node.outputs, visit);
    if (node.name) visit(*node.name);
  }
}

/// The names of a graph's values, nodes and subgraphs, and new ones.
class FreshNames {
 public:
  explicit FreshNames(const Graph& graph);

  /// Takes `name` as it is; whether it was free.
  bool claim(const std::string& name) { return taken_.try_emplace(name).second; }

  /// `wanted`, or if that is taken, or Python's (`sum`), what it begins with and the next number, as torch
  /// counts: `add`, `add_1`, `add_2`. It is taken from now on. Amortized O(1).
  std::string take(std::string_view wanted);

 private:
  schemagen::Map<bool> taken_;
  schemagen::Map<std::size_t> counts_;  // the last number that follows a name
};

/// What is to stand where values are used, by their names: other values, or literals.
using Substitutes = schemagen::Map<Argument>;

/// The value that `argument` is: null if it is a list, a literal, or none.
const std::string* value_of(const Argument& argument);

/// The value `name`, which is in `table`, as an argument; of an object, without its class.
Argument value_argument(ValueName::Table table, const std::string& name);

/// The value `name` of `graph` as an argument. Errors: DataError, if it is in no table.
Argument value_argument(const Graph& graph, const std::string& name);

/// Puts substitutes in the place of the values that `argument` uses, those in lists and dicts included. What
/// is put in is not looked at again. Errors: UsageError, if what is to stand in a list or dict cannot.
void substitute(const Substitutes& substitutes, Argument& argument);
void substitute(const Substitutes& substitutes, std::vector<Argument>& arguments);

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

// The inputs and outputs of a program. What is changed: the graph, its signature, and the trees of arguments
// and results in the first entry of module_call_graph, if there is one. Sample inputs, which an archive holds
// beside the program, are not: torch makes no module of a program with sample inputs that it cannot be called
// with.

/// Adds an input that the caller gives by position, after those there are. A symbol in its sizes that the
/// program does not have yet needs its own entry in range_constraints. Errors: UsageError, and the program is
/// as it was: the name is taken, or is not one that Python could have.
void add_input(ExportedProgram& program, const std::string& name, TensorMeta meta);

/// Takes away an input: the user's, a parameter, buffer, constant or object. Errors: UsageError, and the
/// program is as it was: there is no such input; it is used (the message says by what), or an output is a
/// mutation of what it stands for; or the tree of arguments has it in a container whose items have fixed
/// places.
void remove_input(ExportedProgram& program, std::string_view name);

/// Adds what the graph calls `value` to what the caller gets, at the end: a program that gave one thing gives
/// a tuple then. Errors: UsageError, and the program is as it was, if there is no such value.
void add_output(ExportedProgram& program, const std::string& value);

/// Takes away the outputs that give `value`: the user's, mutations, losses. The value stays. Errors:
/// UsageError, and the program is as it was: none is of that value, or the tree of results has it in a
/// container whose items have fixed places.
void remove_output(ExportedProgram& program, std::string_view value);

}  // namespace pt2
