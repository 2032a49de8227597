// Needs neither exceptions nor run-time type information.
#include <pt2/types.h>

int main() {
  pt2::Node node;
  node.target = "torch.ops.aten.relu.default";
  node.inputs.emplace_back().arg.emplace<pt2::Argument::as_int>(3);
  pt2::Graph graph;
  graph.nodes.push_back(node);
  graph.tensor_values["x"].dtype = pt2::ScalarType::FLOAT;
  const pt2::Graph copy = graph;
  const bool reads = *copy.nodes[0].inputs[0].arg.get_if<pt2::Argument::as_int>() == 3;
  return reads && copy == graph && copy.tensor_values.contains("x") ? 0 : 1;
}
