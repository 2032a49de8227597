// Prints each node of a program whose results infer_results() says to be something else than torch wrote, and
// in the end how many it knows, and the targets of those that it does not.
#include <cstddef>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "../runtime/pt2/edit/inferred_types.h"
#include "pt2/program.h"

namespace {

void print(const char* title, const std::vector<std::string>& lines) {
  std::cout << "  " << title << "\n";
  for (const std::string& line : lines) std::cout << "    " << line << "\n";
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) throw schemagen::UsageError("usage: inferred_nodes FILE");
  const pt2::ExportedProgram program = pt2::load_program(argv[1]).program;
  std::size_t known = 0;
  std::set<std::string> unknown;
  pt2::for_each_graph(program.graph_module.graph, [&](const pt2::Graph& graph) {
    const pt2::Bindings hints = hints_of(graph);
    for (const pt2::Node& node : graph.nodes) {
      const InferredNode inferred = infer_node(node, graph, hints);
      if (!inferred.is_known) {
        unknown.insert(node.target);
        continue;
      }
      ++known;
      const std::vector<std::string> recorded = recorded_types(node, graph, hints);
      if (inferred.types == recorded) continue;
      std::cout << node.target << " " << node.name.value_or("") << "\n";
      print("inferred", inferred.types);
      print("recorded", recorded);
    }
  });
  std::cout << "known: " << known << "\n";
  for (const std::string& target : unknown) std::cout << "unknown: " << target << "\n";
  return 0;
} catch (const std::exception& error) {
  std::cerr << "inferred_nodes: " << error.what() << "\n";
  return 1;
}
