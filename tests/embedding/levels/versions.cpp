#include <pt2/canonical/canonical.h>
#include <pt2/json.h>
#include <pt2/upgrade/upgrade.h>

#include <iostream>
#include <iterator>
#include <string>

int main() {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  const std::string upgraded = pt2::upgrade_document(schemagen::JsonDocument(text, {})).text;
  std::cout << pt2::content_hash(schemagen::from_json<pt2::ExportedProgram>(upgraded)) << "\n";
}
