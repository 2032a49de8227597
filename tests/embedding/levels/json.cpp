#include <pt2/json.h>

#include <iostream>
#include <iterator>
#include <string>

int main() {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  std::cout << schemagen::to_json(schemagen::from_json<pt2::ExportedProgram>(text)) << "\n";
}
