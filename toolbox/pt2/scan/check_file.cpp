#include "pt2/scan/check_file.h"

#include <iterator>

#include "pt2/notices.h"
#include "pt2/scan/scan.h"

namespace pt2 {
namespace {

Severity severity_under(CheckPolicy policy, const Finding& finding) {
  if (policy == CheckPolicy::strict)
    return finding.severity == Severity::warning ? Severity::error : finding.severity;
  const bool is_read = finding.rule != RuleId::unreadable;
  return policy == CheckPolicy::inspect && is_read && finding.severity == Severity::error ? Severity::warning
                                                                                          : finding.severity;
}

std::vector<Finding> program_findings(const GoodProgram& program) {
  std::vector<Finding> findings;
  for (const schemagen::SkippedField& field : program.skipped) {
    findings.push_back({RuleId::field_skipped, rule_of(RuleId::field_skipped).severity, field.path,
                        "skipped; " + newer_text(program.written_by), program.record, "", field.place});
  }
  findings.insert(findings.end(), program.record_findings.begin(), program.record_findings.end());
  for (Finding finding : program.findings) {
    if (!finding.path.empty()) finding.record = program.record;  // otherwise the message names the record
    findings.push_back(std::move(finding));
  }
  return findings;
}

/// By rule and record; all unreadable parts of a record are the same.
void add_in_place(std::vector<Finding>& findings, std::vector<Finding> more) {
  const auto is_known = [&](const Finding& old) {
    return std::any_of(more.begin(), more.end(), [&](const Finding& each) {
      return each.record == old.record &&
             (each.rule == old.rule || (is_not_understood(each) && is_not_understood(old)));
    });
  };
  findings.erase(std::remove_if(findings.begin(), findings.end(), is_known), findings.end());
  std::move(more.begin(), more.end(), std::back_inserter(findings));
}

std::vector<Finding> check_bytes(FileBytes bytes, const CheckOptions& options) {
  // A newer torch may execute fields that this release does not know.
  const schemagen::UnknownFields newer_fields = options.policy == CheckPolicy::inspect
                                                    ? schemagen::UnknownFields::skip
                                                    : schemagen::UnknownFields::skip_empty;
  std::vector<Finding> findings;
  std::optional<Finding> unscanned;
  try {
    findings = scan_file(bytes.view());
  } catch (const schemagen::DataError& error) {
    unscanned = unreadable(error);
  }
  const ValidatedFile file =
      validate_file(std::move(bytes), options.operators, newer_fields, options.checksums);
  for (const GoodProgram& program : file.programs) add_in_place(findings, program_findings(program));
  for (const Unreadable& unread : file.unreadable) add_in_place(findings, {unread.finding});
  if (!file.compiled.empty())
    findings.push_back(unreadable(schemagen::DataError(file.compiled + " has no exported program")));
  if (unscanned && file.unreadable.empty()) findings.push_back(*unscanned);
  return findings;
}

}  // namespace

bool is_not_understood(const Finding& finding) {
  return finding.rule == RuleId::unreadable || finding.rule == RuleId::not_understood;
}

CheckPolicy policy_named(std::string_view name) {
  if (name == "strict") return CheckPolicy::strict;
  if (name == "load") return CheckPolicy::load;
  if (name == "inspect") return CheckPolicy::inspect;
  throw schemagen::UsageError("policy: expected 'strict', 'load' or 'inspect'");
}

std::vector<Finding> check_file(const std::function<FileBytes()>& read, const CheckOptions& options) {
  std::vector<Finding> findings;
  try {
    findings = check_bytes(read(), options);
  } catch (const schemagen::DataError& error) {  // too large to read
    findings.push_back(unreadable(error));
  }
  for (Finding& finding : findings) finding.severity = severity_under(options.policy, finding);
  return findings;
}

}  // namespace pt2
