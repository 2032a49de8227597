#include "pt2/handles.h"

#include "pt2/scan/check_file.h"
#include "pt2/scan/file_findings.h"
#include "pt2/scan/scan.h"

namespace pt2::c {
namespace {

const Finding* finding_at(const pt2_findings* findings, std::size_t index) noexcept {
  return index < pt2_findings_count(findings) ? &findings->all[index] : nullptr;
}

pt2_str text_of(const Finding* finding, std::string Finding::*member) noexcept {
  return borrowed(finding == nullptr ? std::string_view() : finding->*member);
}

}  // namespace
}  // namespace pt2::c

using namespace pt2::c;

extern "C" {

pt2_error* pt2_program_verify(const pt2_program* program, const pt2_file* file, pt2_findings** out) {
  return made(out, [&] {
    require(program, "program");
    const pt2::ProgramFile* const opened = file == nullptr ? nullptr : file->opened.get();
    return std::make_unique<pt2_findings>(pt2_findings{pt2::verify_with_weights(program->loaded, opened)});
  });
}

pt2_error* pt2_scan(const char* path, pt2_findings** out) {
  return made(out, [&] {
    require(path, "path");
    return std::make_unique<pt2_findings>(pt2_findings{pt2::scan_file(pt2::read_file(path).view())});
  });
}

pt2_error* pt2_scan_bytes(const void* data, size_t size, pt2_findings** out) {
  return made(out, [&] {
    return std::make_unique<pt2_findings>(pt2_findings{pt2::scan_file(view_of(data, size, "data"))});
  });
}

pt2_error* pt2_check(const char* path, const char* policy, pt2_findings** out) {
  return made(out, [&] {
    require(path, "path");
    pt2::CheckOptions options;
    if (policy != nullptr) options.policy = pt2::policy_named(policy);
    const auto read = [&] { return pt2::read_file(path); };
    return std::make_unique<pt2_findings>(pt2_findings{pt2::check_file(read, options)});
  });
}

size_t pt2_findings_count(const pt2_findings* findings) {
  return findings == nullptr ? 0 : findings->all.size();
}

int32_t pt2_finding_level(const pt2_findings* findings, size_t index) {
  const pt2::Finding* const finding = finding_at(findings, index);
  constexpr std::int32_t kLevels[] = {PT2_FINDING_ERROR, PT2_FINDING_WARNING, PT2_FINDING_NOTE};
  return finding == nullptr ? 0 : kLevels[static_cast<std::size_t>(finding->severity)];
}

pt2_str pt2_finding_rule(const pt2_findings* findings, size_t index) {
  const pt2::Finding* const finding = finding_at(findings, index);
  return borrowed(finding == nullptr ? "" : pt2::rule_of(finding->rule).id);
}

pt2_str pt2_finding_message(const pt2_findings* findings, size_t index) {
  return text_of(finding_at(findings, index), &pt2::Finding::message);
}

pt2_str pt2_finding_path(const pt2_findings* findings, size_t index) {
  return text_of(finding_at(findings, index), &pt2::Finding::path);
}

pt2_str pt2_finding_record(const pt2_findings* findings, size_t index) {
  return text_of(finding_at(findings, index), &pt2::Finding::record);
}

pt2_str pt2_finding_what(const pt2_findings* findings, size_t index) {
  return text_of(finding_at(findings, index), &pt2::Finding::what);
}

int64_t pt2_finding_offset(const pt2_findings* findings, size_t index) {
  const pt2::Finding* const finding = finding_at(findings, index);
  return finding == nullptr || !finding->place.offset ? -1 : static_cast<int64_t>(*finding->place.offset);
}

pt2_str pt2_rule_explanation(pt2_str rule) {
  try {
    const auto found = pt2::find_rule(view_of(rule, "rule"));
    if (found) return borrowed(pt2::rule_of(*found).explanation);
  } catch (...) {  // not a valid pt2_str
  }
  return {nullptr, 0};
}

void pt2_findings_free(pt2_findings* findings) {
  delete findings;
}

}  // extern "C"
