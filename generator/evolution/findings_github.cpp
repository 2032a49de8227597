#include "evolution/findings.h"
#include "front/diagnostics.h"
#include "text/uri.h"

namespace generator {
namespace {

std::string_view command_of(const Finding& finding) {
  return finding.allowed || finding.level == Level::note ? "notice" : plain_level(finding.level);
}

/// `text` with every character of `special` as `%` and two hexadecimal digits.
std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    out += special.find(c) == std::string_view::npos ? std::string(1, c) : percent_escape(c);
  }
  return out;
}

// What would end a command's message, or one of its properties.
constexpr std::string_view kEndsMessage = "%\r\n";
constexpr std::string_view kEndsProperty = "%\r\n:,";

std::string message_of(const Finding& finding) {
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
    out.append("::")
        .append(command_of(finding))
        .append(" file=")
        .append(escaped(finding.after.file, kEndsProperty));
    const Span& span = finding.after.span;
    if (span.line > 0) {
      out += ",line=" + std::to_string(span.line) + ",col=" + std::to_string(span.column);
      out += ",endColumn=" + std::to_string(span.column + span.length);
    }
    out.append(",title=").append(finding.rule->id).append("::");
    out += escaped(message_of(finding), kEndsMessage) + "\n";
  }
  const std::string title =
      spelled(findings.before.model.version) + " -> " + spelled(findings.after.model.version);
  return out + "::notice title=" + title +
         "::" + escaped(counts_text(findings.comparison) + "; " + verdict_text(findings), kEndsMessage) +
         "\n";
}

}  // namespace generator
