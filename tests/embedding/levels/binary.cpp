#include <pt2/binary/binary_file.h>

#include <iostream>
#include <iterator>
#include <string>

int main() {
  const std::string bytes{std::istreambuf_iterator<char>(std::cin), {}};
  std::cout << pt2::from_pt2b<pt2::ExportedProgram>(bytes).graph_module.graph.nodes.size() << " nodes\n";
}
