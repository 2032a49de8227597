// A program as boxes in boxes and arrows between them, for drawing.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// A box that holds others.
struct DiagramGroup {
  enum class Kind {
    program,   // the first one
    module,    // one call of a module
    subgraph,  // of a higher-order operator
    repeat,    // one of several that follow each other and do the same
    run,       // of parts that follow each other, where there are too many for a picture
    unused,    // of the program's inputs and weights that nothing uses, but for those of a module in it
  };
  Kind kind = Kind::program;
  std::string name;        // `b.0.qkv`, `true_graph_0`, `repeat 2 of 24`, `add … mul_7`
  std::string type;        // of a module: its class, `torch.nn.modules.linear.Linear`; empty: not known
  std::size_t parent = 0;  // index in Diagram::groups; of the program: its own
};

/// What an arrow stands for.
struct DiagramValue {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::string name;
  std::string type;              // see type_text(); empty: not known
  std::size_t producer = kNone;  // index in Diagram::nodes; kNone: nothing defines it
};

struct DiagramArgument {
  std::string name;                 // empty: it has none
  std::string text;                 // see argument_text()
  bool is_default = false;          // the node leaves it out
  std::vector<std::size_t> values;  // that it names: indices in Diagram::values
};

/// A box without others in it.
struct DiagramNode {
  enum class Kind { input, weight, operation, output };
  Kind kind = Kind::operation;
  std::string name;    // unlike that of any other node; in a subgraph, those of its holder and of the graph
                       // come first: `getitem/true_graph_0/sin`
  std::string label;   // the operator, `aten.add.Tensor`; of an input or output, what it stands for
  std::string target;  // of a weight: its name in the model
  std::size_t group = 0;                   // the innermost
  std::vector<DiagramArgument> arguments;  // of an operator that is known: all, in its order
  std::vector<std::size_t> values;         // that it makes
  std::vector<std::size_t> subgraphs;      // groups
  std::vector<std::pair<std::string, std::string>> metadata;  // `stack_trace` and the like, lines printable
};

/// All names and texts are printable. Every box is in one group; no group has more than 48 weights, nor more
/// than 48 other boxes, as many as can be laid out at once.
struct Diagram {
  std::vector<DiagramGroup> groups;  // in no order but that the program is the first
  std::vector<DiagramValue> values;
  std::vector<DiagramNode> nodes;    // of each graph: inputs, operations, outputs, in the order of the graph
  std::vector<std::string> remarks;  // what could not be shown, and why
};

/// The program by the modules that it was traced from, by its subgraphs, and by what repeats. Weights are
/// where all of their users are; those without any, in the module that they belong to. Takes any program:
/// where the metadata of modules cannot be read, there are none, and an operator that is not known, or does
/// not fit, has the arguments that the node gives.
Diagram diagram_of(const ExportedProgram& program, const OperatorSet& operators = {});

/// The name of the node in a Diagram whose first result is the last of `path`: what is before it are the
/// subgraphs that it is in, each as the first result of its holder and its name.
std::string diagram_name(const std::vector<std::string>& path);

/// The name of a group within the one around it: of a module, without the path of the module that it is in.
std::string short_name(const Diagram& diagram, std::size_t group);

}  // namespace pt2
