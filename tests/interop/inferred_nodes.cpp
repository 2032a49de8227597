// Prints each node of a program whose results infer_results() says to be something else than torch wrote, and
// in the end how many it knows, and the targets of those that it does not.
#include <cstddef>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "pt2/program.h"
#include "runtime/pt2/analysis/infer/inferred_types.h"

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
  using Types = std::vector<std::string>;
  const auto compare = [&](const pt2::Node& node, const Types& inferred, const Types& recorded) {
    ++known;
    if (inferred == recorded) return;
    std::cout << node.target << " " << node.name.value_or("") << "\n";
    print("inferred", inferred);
    print("recorded", recorded);
  };
  const std::set<std::string> unknown = for_each_inferred_node(program, compare);
  std::cout << "known: " << known << "\n";
  for (const std::string& target : unknown) std::cout << "unknown: " << target << "\n";
  return 0;
} catch (const std::exception& error) {
  std::cerr << "inferred_nodes: " << error.what() << "\n";
  return 1;
}
