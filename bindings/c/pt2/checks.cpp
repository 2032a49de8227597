// Checks of programs and files.
#include "pt2/handles.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "pt2/scan/scan.h"
#include "pt2/scan/verify_weights.h"
#include "pt2/verify/verify.h"

namespace pt2::c {

struct OneFinding {
  const Rule* rule;
  Severity severity;
  std::string path;
  std::string record;
  std::string what;
  std::string message;
  std::int64_t offset = -1;
};

}  // namespace pt2::c

struct pt2_findings {
  std::vector<pt2::c::OneFinding> all;
};

namespace pt2::c {
namespace {

std::unique_ptr<pt2_findings> verified(const LoadedProgram& loaded, const ProgramFile* file) {
  auto findings = std::make_unique<pt2_findings>();
  const auto add = [&](std::vector<Finding> found) {
    for (Finding& finding : found) {
      findings->all.push_back({&rule_of(finding.rule), finding.severity, std::move(finding.path), "", "",
                               std::move(finding.message)});
    }
  };
  add(verify(loaded.program));
  if (file == nullptr || file->archive() == nullptr) return findings;
  add(verify_weights(loaded.program, *file->archive(), loaded.source.model, loaded.constants,
                     file->limits()));
  return findings;
}

std::unique_ptr<pt2_findings> scanned(std::string_view bytes) {
  auto findings = std::make_unique<pt2_findings>();
  for (ScanFinding& finding : scan_file(bytes)) {
    const std::int64_t offset = finding.position ? static_cast<std::int64_t>(*finding.position) : -1;
    findings->all.push_back({finding.rule, finding.rule->severity, "", std::move(finding.record),
                             std::move(finding.what), std::move(finding.message), offset});
  }
  return findings;
}

const OneFinding* finding_at(const pt2_findings* findings, std::size_t index) noexcept {
  return index < pt2_findings_count(findings) ? &findings->all[index] : nullptr;
}

pt2_str text_of(const OneFinding* finding, std::string OneFinding::*member) noexcept {
  return borrowed(finding == nullptr ? std::string_view() : finding->*member);
}

/// Returns a rule of verify or scan, or null.
const Rule* find_any_rule(std::string_view id) {
  for (const std::vector<const Rule*>* const all : {&rules(), &scan_rules()}) {
    const auto found =
        std::find_if(all->begin(), all->end(), [&](const Rule* rule) { return rule->id == id; });
    if (found != all->end()) return *found;
  }
  return nullptr;
}

}  // namespace
}  // namespace pt2::c

using namespace pt2::c;

extern "C" {

pt2_error* pt2_program_verify(const pt2_program* program, const pt2_file* file, pt2_findings** out) {
  return made(out, [&] {
    require(program, "program");
    return verified(program->loaded, file == nullptr ? nullptr : file->opened.get());
  });
}

pt2_error* pt2_scan(const char* path, pt2_findings** out) {
  return made(out, [&] {
    require(path, "path");
    return scanned(pt2::read_file(path).view());
  });
}

pt2_error* pt2_scan_bytes(const void* data, size_t size, pt2_findings** out) {
  return made(out, [&] { return scanned(view_of(data, size, "data")); });
}

size_t pt2_findings_count(const pt2_findings* findings) {
  return findings == nullptr ? 0 : findings->all.size();
}

int32_t pt2_finding_level(const pt2_findings* findings, size_t index) {
  const OneFinding* const finding = finding_at(findings, index);
  if (finding == nullptr) return 0;
  switch (finding->severity) {
    case pt2::Severity::error:
      return PT2_FINDING_ERROR;
    case pt2::Severity::warning:
      return PT2_FINDING_WARNING;
    case pt2::Severity::note:
      break;
  }
  return PT2_FINDING_NOTE;
}

pt2_str pt2_finding_rule(const pt2_findings* findings, size_t index) {
  const OneFinding* const finding = finding_at(findings, index);
  return borrowed(finding == nullptr ? "" : finding->rule->id);
}

pt2_str pt2_finding_message(const pt2_findings* findings, size_t index) {
  return text_of(finding_at(findings, index), &OneFinding::message);
}

pt2_str pt2_finding_path(const pt2_findings* findings, size_t index) {
  return text_of(finding_at(findings, index), &OneFinding::path);
}

pt2_str pt2_finding_record(const pt2_findings* findings, size_t index) {
  return text_of(finding_at(findings, index), &OneFinding::record);
}

pt2_str pt2_finding_what(const pt2_findings* findings, size_t index) {
  return text_of(finding_at(findings, index), &OneFinding::what);
}

int64_t pt2_finding_offset(const pt2_findings* findings, size_t index) {
  const OneFinding* const finding = finding_at(findings, index);
  return finding == nullptr ? -1 : finding->offset;
}

pt2_str pt2_rule_explanation(pt2_str rule) {
  try {
    const pt2::Rule* const found = find_any_rule(view_of(rule, "rule"));
    return found == nullptr ? pt2_str{nullptr, 0} : borrowed(found->explanation);
  } catch (...) {  // the tables of rules are built on first use
    return {nullptr, 0};
  }
}

void pt2_findings_free(pt2_findings* findings) {
  delete findings;
}

}  // extern "C"
