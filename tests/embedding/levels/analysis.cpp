#include <pt2/json.h>
#include <pt2/verify/verify.h>

#include <iostream>
#include <iterator>
#include <string>

int main() {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  const auto findings = pt2::verify(schemagen::from_json<pt2::ExportedProgram>(text));
  for (const pt2::Finding& finding : findings) std::cout << finding.path << ": " << finding.message << "\n";
  std::cout << findings.size() << " findings\n";
}
