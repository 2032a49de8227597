#include <pt2/binary/binary_file.h>
#include <pt2/json.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    std::ifstream file(argv[1], std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    const auto program = schemagen::looks_like(pt2::kPt2b, bytes)
                             ? pt2::from_pt2b<pt2::ExportedProgram>(bytes)
                             : schemagen::from_json<pt2::ExportedProgram>(bytes);
    std::printf("%zu nodes\n", program.graph_module.graph.nodes.size());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[1], error.what());
    return 3;
  }
  return 0;
}
