#include "evolution/findings.h"

#include <rapidjson/document.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "generator/evolution/releases.h"
#include "generator/read_file.h"

using generator::compared;
using generator::Comparison;
using generator::Policy;
using generator::Release;
using generator::Rule;

TEST_CASE("the examples give the findings that are expected, word for word") {
  const bool update = std::getenv("UPDATE_GOLDEN") != nullptr;
  for (const Rule& rule : generator::rules()) {
    const std::filesystem::path folder = kSource / "tests/compat" / rule.id;
    if (!std::filesystem::is_directory(folder)) continue;
    INFO(rule.id);
    const Release before = release(read_file(folder / "old.yaml"), "old.yaml");
    const Release after = release(read_file(folder / "new.yaml"), "new.yaml");
    const std::vector<Release> earlier = earlier_releases(folder);
    const Comparison comparison = compared(before, after, earlier, Policy::full);
    CHECK(found(comparison).count(std::string(rule.id)) == 1);
    const std::string text = generator::findings_as_text({comparison, before, after, earlier});
    if (update) std::ofstream(folder / "expected.txt", std::ios::binary) << text;
    CHECK(text == read_file(folder / "expected.txt"));
  }
}

namespace {

struct Compared {
  Release before = release(kHead + "0}\ntypes:\n" + kStruct + kX + kY, "a:b, 50%.yaml");
  Release after =
      release(kHead + "1}\ntypes:\n" + kStruct + "      x: {id: 10, type: \"List[str]\"}\n", "a:b, 50%.yaml");
  std::vector<Release> earlier;
  Comparison comparison = compared(before, after, earlier, Policy::full);
  generator::Findings findings{comparison, before, after, earlier};
};

rapidjson::Document parsed(const std::string& text) {
  rapidjson::Document document;
  document.Parse(text.c_str());
  REQUIRE_FALSE(document.HasParseError());
  return document;
}

}  // namespace

TEST_CASE("JSON has each finding with its rule, level and places") {
  const Compared one;
  const rapidjson::Document document = parsed(findings_as_json(one.findings));
  const auto& findings = document["findings"].GetArray();
  REQUIRE(findings.Size() == one.comparison.findings.size());
  for (rapidjson::SizeType i = 0; i < findings.Size(); ++i) {
    const generator::Finding& finding = one.comparison.findings[i];
    CHECK(findings[i]["rule"].GetString() == std::string(finding.rule->id));
    CHECK(findings[i]["level"].GetString() == std::string(name_of(finding.level)));
    CHECK(findings[i]["message"].GetString() == finding.message);
  }
}

TEST_CASE("SARIF has a result for each finding, whose rule is in the list of rules") {
  const Compared one;
  const rapidjson::Document document = parsed(findings_as_sarif(one.findings, "1.2.3"));
  CHECK(document["version"] == "2.1.0");
  const auto& run = document["runs"][0];
  CHECK(run["tool"]["driver"]["version"] == "1.2.3");
  const auto& rules = run["tool"]["driver"]["rules"];
  REQUIRE(run["results"].Size() == one.comparison.findings.size());
  for (const auto& result : run["results"].GetArray()) {
    CHECK(rules[result["ruleIndex"].GetUint()]["id"] == result["ruleId"]);
    const auto& place = result["locations"][0]["physicalLocation"];
    CHECK(std::string(place["artifactLocation"]["uri"].GetString()) == "a%3Ab%2C%2050%25.yaml");
    CHECK(place["region"]["startLine"].GetUint() >= 1);
  }
}

TEST_CASE("GitHub gets a command a line, the last with a summary, whose properties are escaped") {
  const Compared one;
  const std::string text = findings_as_github(one.findings);
  CHECK(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) ==
        one.comparison.findings.size() + 1);
  CHECK(text.substr(0, 8) == "::error ");
  CHECK(text.find("file=a%3Ab%2C 50%25.yaml,line=") != std::string::npos);
}

TEST_CASE("Markdown has a row for each finding") {
  const Compared one;
  const std::string text = findings_as_markdown(one.findings);
  for (const generator::Finding& finding : one.comparison.findings) {
    CHECK(text.find(finding.rule->id) != std::string::npos);
  }
}

TEST_CASE("effects say what each reader makes of the data") {
  generator::Effects effects;
  CHECK(is_harmless(effects));
  effects.json_forward = generator::Verdict::no;
  CHECK_FALSE(is_harmless(effects));
  CHECK(effects_text(effects) ==
        "new reads old: JSON yes, binary yes; old reads new: JSON no, binary yes; source yes");
}
