// Prints nodes for which infer_results() disagrees with torch, the numbers of nodes, known nodes and correct
// nodes, and unknown targets with counts. Given several files, skips those without a program.
#include <cstddef>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "pt2/program.h"
#include "toolbox/pt2/infer/inferred_types.h"

namespace {

void print(const char* title, const std::vector<std::string>& lines) {
  std::cout << "  " << title << "\n";
  for (const std::string& line : lines) std::cout << "    " << line << "\n";
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) throw schemagen::UsageError("usage: inferred_nodes FILE...");
  std::size_t known = 0;
  std::size_t wrong = 0;
  using Types = std::vector<std::string>;
  const char* path = "";
  const auto compare = [&](const pt2::Node& node, const Types& inferred, const Types& recorded) {
    ++known;
    if (inferred == recorded) return;
    ++wrong;
    std::cout << node.target << " " << node.name.value_or("") << " of " << path << "\n";
    print("inferred", inferred);
    print("recorded", recorded);
  };
  std::map<std::string, std::size_t> unknown;
  std::size_t nodes = 0;
  for (int file = 1; file < argc; ++file) {
    path = argv[file];
    try {
      for (const auto& [target, count] :
           for_each_inferred_node(pt2::load_program(argv[file]).program, compare)) {
        unknown[target] += count;
        nodes += count;
      }
    } catch (const schemagen::DataError& error) {
      if (argc == 2) throw;
      std::cerr << argv[file] << ": " << error.what() << "\n";
    }
  }
  std::cout << "nodes: " << nodes + known << "\nknown: " << known << "\nright: " << known - wrong << "\n";
  for (const auto& [target, count] : unknown) std::cout << "unknown: " << target << " " << count << "\n";
  return 0;
} catch (const std::exception& error) {
  std::cerr << "inferred_nodes: " << error.what() << "\n";
  return 1;
}
