#include "evolution/findings.h"
#include "text/finding_formats.h"
#include "text/source_place.h"

namespace generator {
namespace {

std::string short_message(const Finding& finding) {
  std::string text = finding.message;
  if (!finding.fix.empty()) text += "; hint: " + finding.fix;
  if (!finding.paste.empty()) text += ": " + finding.paste;
  return text;
}

SarifPlace place_of(const Findings& findings, const Place& place, const std::string& path,
                    const std::string& message) {
  if (place.file.empty()) return {};
  SarifPlace out = sarif_place(place.file, findings.sources.at(place.file), place.span);
  out.inside = {path};
  out.message = message;
  return out;
}

SarifFinding sarif_of(const Findings& findings, const Finding& finding) {
  SarifFinding out = {finding.rule->id, plain_level(finding.level), short_message(finding),
                      place_of(findings, finding.after, finding.path, "")};
  const std::string& before = finding.before_text;
  out.related.push_back(
      place_of(findings, finding.before, "", before.empty() ? "in the old schema" : before));
  for (const Finding& cause : finding.causes) {
    out.related.push_back(place_of(findings, cause.after, cause.path, cause.message));
  }
  out.allowed = finding.allowed;
  out.properties = {{"schemagenLevel", json_string(name_of(finding.level))},
                    {"bump", json_string(name_of(finding.bump))},
                    {"effects", json_string(effects_text(finding.effects))}};
  return out;
}

std::string_view command_of(const Finding& finding) {
  return finding.allowed || finding.level == Level::note ? "notice" : plain_level(finding.level);
}

std::string full_message(const Finding& finding) {
  std::string text = finding.message;
  if (finding.allowed) return "allowed: " + text + ", because: " + *finding.allowed;
  for (const Finding& cause : finding.causes) text += "\nin " + cause.path + ": " + cause.message;
  if (!is_harmless(finding.effects)) text += "\n" + effects_text(finding.effects);
  if (!finding.fix.empty()) text += "\nhint: " + finding.fix;
  if (!finding.paste.empty()) text += ": " + finding.paste;
  return text;
}

}  // namespace

std::string findings_as_sarif(const Findings& findings, std::string_view version) {
  std::vector<SarifRule> all;
  for (const Rule& rule : rules()) {
    all.push_back({rule.id, plain_level(rule.level), rule.purpose, rule.why, rule.fix});
  }
  const Comparison& comparison = findings.comparison;
  std::vector<SarifFinding> found;
  for (const Finding& finding : comparison.findings) found.push_back(sarif_of(findings, finding));
  return as_sarif("schemagen", version, all, found,
                  {{"policy", json_string(name_of(comparison.policy))},
                   {"bump", json_string(name_of(comparison.required))},
                   {"suggestedVersion", json_string(spelled(comparison.suggested))},
                   {"versionSuffices", comparison.version_suffices ? "true" : "false"}});
}

std::string findings_as_github(const Findings& findings) {
  std::string out;
  for (const Finding& finding : findings.comparison.findings) {
    std::vector<CommandProperty> properties = command_place(finding.after.file, finding.after.span);
    properties.emplace_back("title", finding.rule->id);
    out += workflow_command(command_of(finding), properties, full_message(finding));
  }
  const std::string title =
      spelled(findings.before.model.version) + " -> " + spelled(findings.after.model.version);
  return out + workflow_command("notice", {{"title", title}},
                                counts_text(findings.comparison) + "; " + verdict_text(findings));
}

}  // namespace generator
