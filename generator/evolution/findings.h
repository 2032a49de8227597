// What a comparison found, as text of several kinds. Each kind has a file of its own, findings_<kind>.cpp.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "evolution/compat.h"
#include "text/source_lines.h"

namespace generator {

/// A comparison and what was compared.
struct Findings {
  /// All must outlive this.
  Findings(const Comparison& comparison_, const Release& before_, const Release& after_,
           const std::vector<Release>& earlier_);

  const Comparison& comparison;
  const Release& before;
  const Release& after;
  const std::vector<Release>& earlier;
  std::map<std::string_view, SourceLines> sources;  // by the file's name
};

/// For people: as compilers report errors, the gravest first, then a summary.
std::string findings_as_text(const Findings& findings);

/// One of the findings, as findings_as_text() has it.
std::string finding_as_text(const Findings& findings, const Finding& finding);

/// For programs; schema/README.md has the keys.
std::string findings_as_json(const Findings& findings);

/// For tools that collect findings: SARIF 2.1.0. `version` is that of schemagen.
std::string findings_as_sarif(const Findings& findings, std::string_view version);

/// For GitHub's log: one workflow command per finding.
std::string findings_as_github(const Findings& findings);

/// For a comment on a pull request.
std::string findings_as_markdown(const Findings& findings);

// What the kinds share.

/// The name of `level` where there are only notes, warnings and errors.
std::string_view plain_level(Level level);

/// `new reads old: JSON yes, binary no; old reads new: JSON yes, binary no; source yes`.
std::string effects_text(const Effects& effects);
/// Whether nothing changes for readers and code.
bool is_harmless(const Effects& effects);
/// The version that the comparison asks for, as a sentence without full stop.
std::string verdict_text(const Findings& findings);
/// `3 breaking, 1 warning, 9 notes (2 allowed)`.
std::string counts_text(const Comparison& comparison);

}  // namespace generator
