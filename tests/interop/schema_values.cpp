// schema_values SCHEMA.yaml TYPE COUNT SEED: random values as JSON, one per line.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>

#include "evolution/compat.h"
#include "front/resolve.h"
#include "generator/random_value.h"

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: schema_values SCHEMA.yaml TYPE COUNT SEED\n";
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  generator::Diagnostics diagnostics(argv[1], std::string(std::istreambuf_iterator<char>(file), {}));
  const std::optional<generator::Model> model = generator::load_model(diagnostics, generator::rule_ids());
  if (!model) {
    std::cerr << diagnostics.render();
    return 3;
  }
  std::size_t type = 0;
  while (type < model->types.size() && model->types[type].name != argv[2]) ++type;
  if (type == model->types.size()) {
    std::cerr << argv[1] << ": has no type " << argv[2] << "\n";
    return 3;
  }
  schemagen_test::Random random(std::strtoull(argv[4], nullptr, 10));
  for (int i = std::atoi(argv[3]); i > 0; --i) {
    std::cout << schemagen_test::random_value(*model, type, random) << "\n";
  }
  return 0;
}
