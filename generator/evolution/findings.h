#pragma once

#include <map>

#include "evolution/compat.h"
#include "text/json_text.h"

namespace generator {

struct Findings {
  Findings(const Comparison& comparison_, const Release& before_, const Release& after_,
           const std::vector<Release>& earlier_);

  const Comparison& comparison;
  const Release& before;
  const Release& after;
  const std::vector<Release>& earlier;
  std::map<std::string_view, SourceLines> sources;
};

/// Sorts the findings, most severe first, and adds a summary.
std::string findings_as_text(const Findings& findings);

std::string finding_as_text(const Findings& findings, const Finding& finding);

/// schema/README.md documents the keys.
std::string findings_as_json(const Findings& findings);

std::string findings_as_sarif(const Findings& findings, std::string_view version);

std::string findings_as_github(const Findings& findings);

std::string findings_as_markdown(const Findings& findings);

std::string_view plain_level(Level level);

void write_effects(JsonText& json, const Effects& effects);
std::string effects_text(const Effects& effects);
/// Returns text such as `new readers reject or misread this old JSON of 'A': {"x": 0}`.
std::string example_text(const Example& example);
bool is_harmless(const Effects& effects);
std::string verdict_text(const Findings& findings);
std::string counts_text(const Comparison& comparison);

}  // namespace generator
