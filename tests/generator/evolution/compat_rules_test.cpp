#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <string>

#include "generator/evolution/releases.h"

using generator::Rule;

TEST_CASE("every rule has a folder, and every folder a rule") {
  std::set<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(kSource / "tests/compat")) {
    folders.insert(entry.path().filename().string());
  }
  std::set<std::string> ids;
  for (const Rule& rule : generator::rules()) ids.emplace(rule.id);
  CHECK(ids.size() == generator::rules().count);
  CHECK(folders == ids);
}
