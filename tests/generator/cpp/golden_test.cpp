// UPDATE_GOLDEN=1 rewrites tests/golden/<case>; review the diff.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "cpp/generate.h"
#include "evolution/compat.h"
#include "front/resolve.h"
#include "generator/read_file.h"

namespace fs = std::filesystem;

TEST_CASE("the generated files are those in tests/golden") {
  const bool update = std::getenv("UPDATE_GOLDEN") != nullptr;
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(PT2_SOURCE_DIR) / "tests/golden")) {
    const fs::path schema = entry.path() / "schema.yaml";
    if (!fs::exists(schema)) continue;
    ++count;
    generator::Diagnostics diagnostics("schema.yaml", read_file(schema));
    const auto model = generator::load_model(diagnostics, generator::rule_ids());
    INFO(diagnostics.render());
    REQUIRE(model.has_value());
    for (const generator::OutputFile& file :
         generator::generate(*model, entry.path().string(), model->name)) {
      CAPTURE(file.path);
      if (update) std::ofstream(file.path, std::ios::binary) << file.text;
      const std::string expected = read_file(file.path);
      const auto differ = std::mismatch(file.text.begin(), file.text.end(), expected.begin(), expected.end());
      const auto at = static_cast<std::size_t>(differ.first - file.text.begin());
      const std::size_t line_start = at == 0 ? 0 : file.text.rfind('\n', at - 1) + 1;
      INFO("differs at byte " << at << ", from: " << file.text.substr(line_start, 200));
      CHECK((file.text == expected));
    }
  }
  CHECK(count >= 3);
}
