#include "evolution/findings.h"
#include "schemagen/base/counted.h"
#include "text/characters.h"

namespace generator {
namespace {

std::string cell(std::string_view text) {
  return replaced(text, "|\\`*_<>[]\n",
                  {"\\|", "\\\\", "\\`", "\\*", "\\_", "\\<", "\\>", "\\[", "\\]", " "});
}

std::string place_text(const Place& place) {
  return place.span.line == 0 ? place.file : place.file + ":" + std::to_string(place.span.line);
}

std::string broken(const Effects& effects) {
  std::string out;
  const auto add = [&](Verdict verdict, std::string_view what) {
    if (verdict == Verdict::yes) return;
    if (!out.empty()) out += ", ";
    out.append(what).append(verdict == Verdict::depends ? " (depends)" : "");
  };
  add(effects.json_backward, "old JSON");
  add(effects.binary_backward, "old binary");
  add(effects.json_forward, "JSON in old readers");
  add(effects.binary_forward, "binary in old readers");
  add(effects.source, "source");
  return out.empty() ? "nothing" : out;
}

std::string row(const Finding& finding) {
  std::string message = cell(finding.message);
  for (const Finding& cause : finding.causes) {
    message += filled("<br>in `$`: $ ($)", cause.path, cell(cause.message), cause.rule->id);
  }
  if (finding.example) message += "<br>" + cell(example_text(*finding.example));
  return filled("| $ | $ | $ | $ | $ | $ |\n", name_of(finding.level), finding.rule->id, message,
                broken(finding.effects), name_of(finding.bump), cell(place_text(finding.after)));
}

constexpr std::string_view kTableHead =
    "| | rule | change | breaks | version | where |\n"
    "|---|---|---|---|---|---|\n";

std::string fixes(const Findings& findings) {
  std::string out;
  for (const Finding& finding : findings.comparison.findings) {
    if (finding.allowed || finding.level < Level::breaking || finding.paste.empty()) continue;
    out += "* " + cell(finding.path.empty() ? "the schema" : finding.path) + ": " + cell(finding.fix) +
           "\n  ```yaml\n  " + finding.paste + "\n  ```\n";
  }
  return out.empty() ? "" : "\n**Fixes**\n\n" + out;
}

std::string folded(const Findings& findings) {
  std::string rows;
  std::size_t count = 0;
  for (const Finding& finding : findings.comparison.findings) {
    if (!finding.allowed && finding.level > Level::note) continue;
    rows += "* " + cell(finding.message) + " (" + std::string(finding.rule->id) + ")";
    if (finding.allowed) rows += ", allowed: " + cell(*finding.allowed);
    rows += "\n";
    ++count;
  }
  if (count == 0) return "";
  return "\n<details><summary>" + schemagen::counted(count, "note") + "</summary>\n\n" + rows +
         "\n</details>\n";
}

}  // namespace

std::string findings_as_markdown(const Findings& findings) {
  const Comparison& comparison = findings.comparison;
  std::string out = "### Schema " + cell(findings.after.model.name) + " " +
                    spelled(findings.before.model.version) + " → " + spelled(findings.after.model.version) +
                    "\n\n**" + counts_text(comparison) + "**; " + cell(verdict_text(findings)) + ".\n";
  std::string rows;
  for (const Finding& finding : comparison.findings) {
    if (!finding.allowed && finding.level > Level::note) rows += row(finding);
  }
  if (!rows.empty()) out += "\n" + std::string(kTableHead) + rows;
  out += fixes(findings) + folded(findings);
  if (!comparison.roots.empty()) {
    out += "\n| files of | JSON | binary |\n|---|---|---|\n";
    for (const RootEquality& root : comparison.roots) {
      out += "| " + cell(root.root) + " | " + (root.json ? "unchanged" : "changed") + " | " +
             (root.binary ? "unchanged" : "changed") + " |\n";
    }
  }
  return out;
}

}  // namespace generator
