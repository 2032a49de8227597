// A program as nested boxes connected by arrows, for drawing.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// A box that contains others.
struct DiagramGroup {
  enum class Kind {
    program,   // the first group
    module,    // one call of a module
    subgraph,  // of a higher-order operator
    repeat,    // one of several consecutive groups that do the same
    run,       // consecutive parts of a group that has too many to draw
    unused,    // unused inputs and weights that belong to no module
  };
  Kind kind = Kind::program;
  std::string name;        // `b.0.qkv`, `true_graph_0`, `repeat 2 of 24`, `add … mul_7`
  std::string type;        // the module's class, `torch.nn.modules.linear.Linear`; empty if unknown
  std::size_t parent = 0;  // index in Diagram::groups; the program is its own parent
};

/// A value, drawn as arrows.
struct DiagramValue {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::string name;
  std::string type;              // see type_text(); empty if unknown
  std::size_t producer = kNone;  // index in Diagram::nodes; kNone if nothing defines it
};

struct DiagramArgument {
  std::string name;                 // may be empty
  std::string text;                 // see argument_text()
  bool is_default = false;          // whether the node omits it
  std::vector<std::size_t> values;  // the values that it names: indices in Diagram::values
};

/// A box without inner boxes.
struct DiagramNode {
  enum class Kind { input, weight, operation, output };
  Kind kind = Kind::operation;
  std::string name;       // unique; in a subgraph, with its holder and graph: `getitem/true_graph_0/sin`
  std::string label;      // the operator, `aten.add.Tensor`, or the meaning of an input or output
  std::string target;     // a weight's name in the model
  std::size_t group = 0;  // the innermost group
  std::vector<DiagramArgument> arguments;                     // all, in schema order, for a known operator
  std::vector<std::size_t> values;                            // values that it defines
  std::vector<std::size_t> subgraphs;                         // indices of groups
  std::vector<std::pair<std::string, std::string>> metadata;  // `stack_trace` and others; lines are printable
};

/// All text is printable. Every box is in exactly one group. A group has at most 48 weights and 48 other
/// boxes, as many as layout can handle.
struct Diagram {
  std::vector<DiagramGroup> groups;  // the program first, then in any order
  std::vector<DiagramValue> values;
  std::vector<DiagramNode> nodes;    // for each graph: inputs, operations, outputs, in graph order
  std::vector<std::string> remarks;  // what could not be shown, and why
};

/// Returns the program grouped by modules, subgraphs and repetitions. A weight is in the innermost group that
/// contains all its users; an unused weight is in its module. Accepts any program. If the modules' metadata
/// is malformed, there are no modules; a node whose operator is unknown or does not match shows only the
/// arguments that it has.
Diagram diagram_of(const ExportedProgram& program, const OperatorSet& operators = {});

/// Returns the name in a Diagram of the node whose first result is the last item of `path`. The items before
/// it describe the enclosing subgraphs: the first result of the node that holds the subgraph, then the
/// subgraph's name.
std::string diagram_name(const std::vector<std::string>& path);

/// Returns the name of a group within its parent: for a module, its path without the path of the enclosing
/// module.
std::string short_name(const Diagram& diagram, std::size_t group);

}  // namespace pt2
