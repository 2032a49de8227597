#include <pt2/scan/scan.h>

#include <iostream>
#include <iterator>
#include <string>

int main() {
  const std::string bytes{std::istreambuf_iterator<char>(std::cin), {}};
  const auto findings = pt2::scan_file(bytes);
  for (const pt2::Finding& finding : findings) std::cout << finding.record << ": " << finding.message << "\n";
  std::cout << findings.size() << " findings\n";
}
