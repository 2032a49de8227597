#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <string>

#include "generator/evolution/releases.h"

using generator::Rule;

TEST_CASE("a rule needs a major version only if some reader loses data, and none only if no reader does") {
  for (const Rule& rule : generator::rules()) {
    INFO(rule.id);
    const generator::Effects& effects = rule.effects;
    const auto worst = std::max(
        {effects.json_backward, effects.binary_backward, effects.json_forward, effects.binary_forward});
    if (rule.bump == generator::Bump::major) CHECK(worst != generator::Verdict::yes);
    if (rule.bump == generator::Bump::none) CHECK(worst == generator::Verdict::yes);
  }
}

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
