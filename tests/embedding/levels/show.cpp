#include <pt2/json.h>
#include <pt2/show/print.h>

#include <iostream>
#include <iterator>
#include <string>

int main() {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  std::cout << pt2::program_text(schemagen::from_json<pt2::ExportedProgram>(text));
}
