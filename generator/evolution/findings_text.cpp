#include <utility>

#include "evolution/findings.h"
#include "evolution/upgrade_steps.h"
#include "text/message.h"
#include "text/source_place.h"

namespace generator {
namespace {

struct TextWriter {
  const Findings& findings;
  std::string text{};

  void line(const Place& place, std::string_view label, const std::string& message) {
    text += placed_line(place.file, place.span, label, message);
  }
  void source(const Place& place) {
    if (place.span.line > 0) text += findings.sources.at(place.file).excerpt(place.span);
  }
  void plain(const std::string& lines) {
    for (const std::string_view one : lines_of(lines)) text += shown(one) + "\n";
  }
};

std::string with_rule(const Finding& finding) {
  return finding.message + " [" + std::string(finding.rule->id) + "]";
}

std::string_view bump_text(Bump bump) {
  return word_of(bump, {"", "; needs a new minor version", "; needs a new major version",
                        "; no version number is enough"});
}

void write_old_place(TextWriter& out, const Finding& finding) {
  if (finding.before_text.empty() || finding.before.file.empty() || finding.before.span.line == 0) return;
  out.line(finding.before, "note", finding.before_text);
  out.source(finding.before);
}

void write_example(TextWriter& out, const Finding& finding) {
  if (finding.example) out.plain("  " + example_text(*finding.example));
}

/// A step changes values of the finding's type.
void write_steps(TextWriter& out, const Finding& finding) {
  const bool is_up = needs_step(finding, Direction::upgrade);
  const bool is_down = needs_step(finding, Direction::downgrade);
  const bool is_same_major =
      out.findings.before.model.version.major_ == out.findings.after.model.version.major_;
  if (is_same_major || !(is_up || is_down)) return;
  out.plain("  needs " +
            std::string(!is_down ? "an upgrade step"
                        : is_up  ? "an upgrade and a downgrade step"
                                 : "a downgrade step") +
            " for " + finding.path.substr(0, finding.path.find('.')));
}

void write_finding(TextWriter& out, const Finding& finding) {
  if (finding.allowed) {
    out.line(finding.after, "note", "allowed: " + with_rule(finding) + ", because: " + *finding.allowed);
    return;
  }
  out.line(finding.after, name_of(finding.level), with_rule(finding));
  // Notes are numerous and require no action.
  const bool is_short = finding.level == Level::note;
  if (!is_short) {
    out.source(finding.after);
    write_old_place(out, finding);
  }
  for (const Finding& cause : finding.causes) {
    out.line(cause.after, "note", "in " + cause.path + ": " + with_rule(cause));
    if (is_short) continue;
    out.source(cause.after);
    write_example(out, cause);
  }
  if (is_short) return;
  if (!is_harmless(finding.effects)) {
    out.plain("  " + effects_text(finding.effects) + std::string(bump_text(finding.bump)));
  }
  write_example(out, finding);
  write_steps(out, finding);
  if (!finding.fix.empty()) out.plain("hint: " + finding.fix + (finding.paste.empty() ? "" : ":"));
  if (!finding.paste.empty()) out.plain("    " + finding.paste);
}

void write_summary(TextWriter& out, const Findings& findings) {
  const Comparison& comparison = findings.comparison;
  out.plain(spelled(findings.before.model.version) + " -> " + spelled(findings.after.model.version) + " (" +
            std::string(name_of(comparison.policy)) + "): " + counts_text(comparison));
  out.plain(verdict_text(findings));
  if (comparison.hash_before == comparison.hash_after) {
    out.plain("schema hash is still " + comparison.hash_after);
  } else {
    out.plain("schema hash " + comparison.hash_before);
    out.plain("    is now  " + comparison.hash_after);
  }
  for (const RootEquality& root : comparison.roots) {
    out.plain("files of " + root.root + ": JSON " + (root.json ? "unchanged" : "changed") + ", binary " +
              (root.binary ? "unchanged" : "changed"));
  }
}

}  // namespace

std::string finding_as_text(const Findings& findings, const Finding& finding) {
  TextWriter out{findings};
  write_finding(out, finding);
  return std::move(out.text);
}

std::string findings_as_text(const Findings& findings) {
  TextWriter out{findings};
  for (const Finding& finding : findings.comparison.findings) write_finding(out, finding);
  write_summary(out, findings);
  return std::move(out.text);
}

}  // namespace generator
