// Describes a program as a diagram: nested boxes that are connected by arrows.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// A box that contains other boxes.
struct DiagramGroup {
  enum class Kind {
    program,   // the first group
    module,    // one call to a module
    subgraph,  // a subgraph of a higher-order operator
    repeat,    // one of several consecutive groups that perform the same computation
    run,       // nodes between modules, or consecutive boxes of a group that has too many boxes to draw
    unused,    // unused inputs, and unused weights that belong to no module
    stack,     // equal neighbors, which are modules or repeats: a page shows one of them at a time
    outputs,   // many outputs of one kind, such as gradients
  };
  Kind kind = Kind::program;
  std::string name;        // e.g. `b.0.qkv`, `true_graph_0`, `layers 0–47: 48 × Layer` or `topk, index`
  std::string type;        // the module's class, e.g. `torch.nn.modules.linear.Linear`; empty if unknown
  std::size_t parent = 0;  // index in Diagram::groups; the program is its own parent
};

/// A value, which is drawn as arrows from its producer to its users.
struct DiagramValue {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::string name;
  std::string type;              // the text that type_text() returns; empty if unknown
  std::size_t producer = kNone;  // index in Diagram::nodes; kNone if undefined
};

struct DiagramArgument {
  std::string name;                 // can be empty
  std::string text;                 // the text that argument_text() returns
  bool is_default = false;          // whether the node omits the argument
  std::vector<std::size_t> values;  // the values that the argument names, as indices in Diagram::values
};

/// A box that contains no other boxes.
struct DiagramNode {
  enum class Kind { input, weight, operation, output };
  Kind kind = Kind::operation;
  std::string name;       // a unique name; for a node in a subgraph, e.g. `getitem/true_graph_0/sin`
  std::string label;      // the operator, e.g. `aten.add.Tensor`, or the meaning of an input or output
  std::string target;     // a weight's name in the model
  std::size_t group = 0;  // the innermost group
  std::vector<DiagramArgument> arguments;  // all arguments, in schema order, if the operator is known
  std::vector<std::size_t> values;         // values that the node defines
  std::vector<std::size_t> subgraphs;      // indices in Diagram::groups
  /// Entries such as `stack_trace`, whose lines are made printable.
  std::vector<std::pair<std::string, std::string>> metadata;
};

/// A program as a diagram. All text is printable. Every box is in exactly one group. A group other than a
/// stack has at most 48 weights and 48 other boxes, because the layout algorithm cannot handle more.
struct Diagram {
  std::vector<DiagramGroup> groups;  // the program first, then the others in any order
  std::vector<DiagramValue> values;
  std::vector<DiagramNode> nodes;    // for each graph, its inputs, operations and outputs, in graph order
  std::vector<std::string> remarks;  // what could not be shown, and why
};

/// Returns a diagram of the program, grouped by modules, subgraphs and repetitions. A weight is in the
/// innermost group that contains all its users; an unused weight is in its module. Accepts any program: if
/// module metadata is malformed, the diagram has no modules, and if a node's operator is unknown or does not
/// match, only the arguments in the node are shown.
Diagram diagram_of(const ExportedProgram& program, const OperatorSet& operators = {});

/// Returns the name that a node has in a Diagram. The last item of `path` is the node's first result. Before
/// it, `path` has two items for each enclosing subgraph, outermost first: the first result of the node that
/// takes the subgraph, and the subgraph's name.
std::string diagram_name(const std::vector<std::string>& path);

/// Returns the innermost group of this kind that is or contains `group`, or the program, which is 0.
std::size_t group_around(const Diagram& diagram, std::size_t group, DiagramGroup::Kind kind);

/// Returns a group's name within its parent. For a module, this is the module's path without the path of the
/// enclosing module.
std::string short_name(const Diagram& diagram, std::size_t group);

}  // namespace pt2
