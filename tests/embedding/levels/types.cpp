#include <pt2/types.h>

#include <cstdio>

int main() {
  pt2::Node node;
  node.target = "torch.ops.aten.relu.default";
  node.inputs.push_back({"self", pt2::TensorArgument{"x"}, pt2::ArgumentKind::POSITIONAL});
  std::puts(pt2::Node(node) == node ? node.target.c_str() : "");
}
