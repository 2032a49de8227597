// Fuses linear and relu into a custom operator, and writes an archive.
#include <pt2/diff/program_diff.h>
#include <pt2/edit/passes.h>
#include <pt2/edit/rewrite.h>
#include <pt2/program.h>

#include <iostream>

namespace {

/// Tensors by argument name: {{"input", "x"}, ...}
pt2::Node call(const char* target, const std::vector<std::pair<const char*, const char*>>& arguments,
               const char* result) {
  pt2::Node node;
  node.target = target;
  for (const auto& [name, value] : arguments) {
    node.inputs.push_back({name, pt2::TensorArgument{value}, pt2::ArgumentKind::POSITIONAL});
  }
  node.outputs.emplace_back(pt2::TensorArgument{result});
  return node;
}

/// From x, w and b to the last node's result.
pt2::Graph graph(std::vector<pt2::Node> nodes) {
  pt2::Graph graph;
  for (const char* const name : {"x", "w", "b"}) graph.inputs.emplace_back(pt2::TensorArgument{name});
  graph.outputs = nodes.back().outputs;
  graph.nodes = std::move(nodes);
  return graph;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: fuse IN.pt2 OUT.pt2\n";
    return 2;
  }
  try {
    const pt2::Pattern linear_then_relu = {graph(
        {call("torch.ops.aten.linear.default", {{"input", "x"}, {"weight", "w"}, {"bias", "b"}}, "linear"),
         call("torch.ops.aten.relu.default", {{"self", "linear"}}, "relu")})};
    const pt2::Graph fused =
        graph({call("torch.ops.my.linear_relu.default", {{"x", "x"}, {"w", "w"}, {"b", "b"}}, "fused")});
    const pt2::Pass fuse = {"fuse", [&](pt2::ExportedProgram program) {
                              rewrite(program, linear_then_relu, fused);
                              return program;
                            }};
    const pt2::ProgramFile file = pt2::open_program_file(argv[1]);
    const pt2::ExportedProgram program = pt2::load_program(file).program;
    save_program(run_passes({fuse}, program, pt2::pass_printer(std::cout)), argv[2], {&file});
  } catch (const schemagen::Error& error) {
    std::cerr << argv[1] << ": " << error.what() << "\n";
    return 1;
  }
  return 0;
}
