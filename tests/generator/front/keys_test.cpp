#include "front/keys.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <string>
#include <vector>

using generator::key_names;
using generator::Names;
using generator::Part;

namespace {

std::vector<std::vector<std::string>> documented() {
  std::ifstream file(PT2_SOURCE_DIR "/schema/README.md");
  REQUIRE(file);
  std::vector<std::vector<std::string>> tables;
  bool is_inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.substr(0, 3) == "## ") is_inside = line == "## Keys";
    if (!is_inside) continue;
    if (line.substr(0, 6) == "| key ") tables.emplace_back();
    if (line.substr(0, 3) == "| `") tables.back().push_back(line.substr(3, line.find('`', 3) - 3));
  }
  return tables;
}

}  // namespace

TEST_CASE("schema/README.md lists the keys of the language in order") {
  const auto tables = documented();
  REQUIRE(tables.size() == 2);
  Names of_schema_and_types = key_names(Part::schema);
  const Names of_types = key_names(Part::type);
  of_schema_and_types.erase(
      std::remove_if(of_schema_and_types.begin(), of_schema_and_types.end(),
                     [&](auto name) { return std::count(of_types.begin(), of_types.end(), name) != 0; }),
      of_schema_and_types.end());
  of_schema_and_types.insert(of_schema_and_types.end(), of_types.begin(), of_types.end());
  CHECK(Names(tables[0].begin(), tables[0].end()) == of_schema_and_types);
  CHECK(Names(tables[1].begin(), tables[1].end()) == key_names(Part::field));
}

TEST_CASE("a key is found in what has it, and not elsewhere") {
  REQUIRE(generator::find_key(Part::field, "boxed") != nullptr);
  CHECK(generator::find_key(Part::field, "boxed")->idle == "false");
  CHECK(generator::find_key(Part::type, "boxed") == nullptr);
  CHECK(key_names(Part::type, true) == Names{"kind", "fields"});
}
