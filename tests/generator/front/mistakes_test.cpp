// The schemas are in tests/golden/mistakes. UPDATE_GOLDEN=1 rewrites the messages; review the diff.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "evolution/compat.h"
#include "front/resolve.h"
#include "generator/read_file.h"

namespace fs = std::filesystem;

TEST_CASE("each of the usual mistakes is one error with what to do about it") {
  const fs::path folder = fs::path(PT2_SOURCE_DIR) / "tests/golden/mistakes";
  std::vector<fs::path> schemas;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") schemas.push_back(entry.path());
  }
  std::sort(schemas.begin(), schemas.end());
  CHECK(schemas.size() >= 12);
  std::string said;
  for (const fs::path& schema : schemas) {
    CAPTURE(schema.filename().string());
    generator::Diagnostics diagnostics(schema.filename().string(), read_file(schema));
    CHECK_FALSE(generator::load_model(diagnostics, generator::rule_ids()).has_value());
    CHECK(diagnostics.all().size() == 1);
    CHECK_FALSE(diagnostics.all().front().hint.empty());
    said += (said.empty() ? "" : "\n") + diagnostics.render();
  }
  const fs::path golden = folder / "expected.txt";
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(golden, std::ios::binary) << said;
  CHECK(said == read_file(golden));
}
