// Prints a program's operators, with libpt2 copied into the project.
#include <iostream>

#include "pt2/pt2.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: operators MODEL.pt2\n";
    return 2;
  }
  try {
    const pt2::LoadedProgram loaded = pt2::load_program(argv[1]);
    for (const pt2::Node& node : loaded.program.graph_module.graph.nodes) std::cout << node.target << "\n";
  } catch (const pt2::schemagen::DataError& error) {
    std::cerr << argv[1] << ": " << error.what() << "\n";
    return 3;
  } catch (const pt2::schemagen::IoError& error) {
    std::cerr << error.what() << "\n";
    return 4;
  }
}
