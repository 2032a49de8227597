#include "evolution/findings.h"
#include "text/finding_formats.h"
#include "text/source_place.h"

namespace generator {
namespace {

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
