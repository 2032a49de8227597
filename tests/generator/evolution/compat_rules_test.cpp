#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <sstream>
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
  CHECK(ids.size() == generator::rules().size());
  CHECK(folders == ids);
}

TEST_CASE("the page of rules has a section for each rule, in the order of the table") {
  const std::string page = read_file(kSource / "docs/schema-rules.md");
  std::string headings;
  std::string ids;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("## ", 0) == 0) headings += line + "\n";
  }
  for (const Rule& rule : generator::rules()) {
    ids += "## " + std::string(rule.id) + "\n";
    INFO(rule.id);
    CHECK(rule.purpose.size() * rule.why.size() * rule.example.size() * rule.fix.size() > 0);
  }
  CHECK(headings == ids);
}
