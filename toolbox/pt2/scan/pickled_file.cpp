#include "pt2/scan/pickled_file.h"

#include "pt2/archive/file_kind.h"
#include "pt2/archive/pickle/pickle.h"
#include "pt2/archive/pickle/pickle_scan.h"
#include "pt2/archive/zip_bytes.h"
#include "pt2/scan/file_magic.h"
#include "pt2/scan/record_roles.h"
#include "pt2/text/affix.h"

namespace pt2 {
namespace {

constexpr std::size_t kMaxPickles = 1000;
constexpr std::uint64_t kMaxSampleValues = 1'000'000;

/// From before zip archives, in protocols 2 and later, and 0 and 1.
bool begins_with_magic(std::string_view pickle) {
  constexpr std::string_view kNumber("\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 13);
  constexpr std::string_view kText = "L119547037146038801333356L\n.";
  const bool has_protocol = starts_with(pickle, "\x80") && pickle.size() > 2;
  const std::string_view rest = has_protocol ? pickle.substr(2) : pickle;
  return starts_with(rest, kNumber) || starts_with(rest, kText);
}

void report_pickle(const PickleScan& found, std::size_t at, std::string_view record, ScanState& state,
                   PickledFor use) {
  if (found.odd_key && use == PickledFor::sample_inputs) {
    state.add(
        RuleId::guard_code, record, file_of(record),
        "expected dict keys to be numbers, strings without quotes, backslashes or control characters, or "
        "tuples of these: torch pastes the keys of sample inputs into the source code of guards",
        at + *found.odd_key);
  }
  // torch loads sample inputs without weights_only.
  const RuleId torchao = use == PickledFor::sample_inputs ? RuleId::pickle_global : RuleId::pickle_legacy;
  for (const PickleDanger& danger : found.of_torchao) {
    state.add(torchao, record, danger.what, danger.message, at + danger.position);
  }
  for (const PickleDanger& danger : found.dangers) {
    state.add(RuleId::pickle_global, record, danger.what, danger.message, at + danger.position);
  }
  if (found.fault) {
    state.add(RuleId::pickle_malformed, record, file_of(record), "malformed pickle: " + *found.fault,
              at + found.fault_position);
  } else if (found.dangers.empty()) {
    state.add(RuleId::pickle_legacy, record, file_of(record), "a pickle that weights_only accepts", at);
  }
}

/// torch flattens sample inputs. A few bytes can be a list of twice the list before, and so on.
void check_expanded_size(std::string_view pickle, std::size_t at, std::string_view record, ScanState& state) {
  try {
    if (read_pickle(pickle, state.limits()).expanded_size() <= kMaxSampleValues) return;
    state.add(RuleId::pickle_malformed, record, file_of(record),
              "the sample inputs have more than " + std::to_string(kMaxSampleValues) +
                  " values when torch flattens them",
              at);
  } catch (const schemagen::DataError&) {
    // other findings say why, and libpt2 does not load such sample inputs
  }
}

/// torch's legacy format: five pickles (magic number, version, system, object, keys of storages), then bytes
/// of storages.
void scan_pickles(std::string_view bytes, std::string_view record, ScanState& state, PickledFor use) {
  constexpr std::size_t kLegacyPickles = 5;
  const bool is_legacy = begins_with_magic(bytes);
  std::size_t at = 0;
  for (std::size_t count = 0; at < bytes.size(); ++count) {
    if (is_legacy && count == kLegacyPickles) return;
    if (count == kMaxPickles) {
      state.add(RuleId::pickle_malformed, record, file_of(record),
                "more than " + std::to_string(kMaxPickles) + " pickles in a row", at);
      return;
    }
    const PickleScan found = scan_pickle(bytes.substr(at), state.limits());
    report_pickle(found, at, record, state, use);
    if (use == PickledFor::sample_inputs) check_expanded_size(bytes.substr(at), at, record, state);
    at += found.end;
  }
}

void scan_nested_zip(std::string_view bytes, std::string_view record, ScanState& state, PickledFor use) {
  state.attempt(RuleId::zip_trick, record, "not a readable zip archive", [&] {
    const ZipLayout archive = lay_out_zip(bytes, state.limits());
    for (const ZipTrick& trick : archive.tricks) {
      state.add(trick.rule, record, trick.what, trick.message, static_cast<std::size_t>(trick.position));
    }
    if (layout_of(names_of(archive.members)) == ArchiveLayout::torch_file)
      return scan_torch_file(archive, record, state, use);
    state.add(RuleId::nested_archive, record, file_of(record),
              "a zip archive that was not written by torch.save");
  });
}

}  // namespace

void scan_torch_file(const ZipLayout& archive, std::string_view record, ScanState& state, PickledFor use) {
  for (const ZipMember& member : archive.members) {
    const std::string inner = nested_record(record, member.name);
    switch (role_by_name(ArchiveLayout::torch_file, record_in(ArchiveLayout::torch_file, member.name))) {
      case RecordRole::pickle:
        if (const auto content = state.read_member(archive, member, inner)) {
          scan_pickles(content->view(), inner, state, use);
        }
        break;
      case RecordRole::layout:
      case RecordRole::raw_tensor:
        break;
      case RecordRole::compiled:
        state.add(RuleId::source_code, inner, file_of(inner),
                  "part of a TorchScript model, which torch.load compiles and runs");
        break;
      default:
        state.add(RuleId::not_understood, inner, file_of(inner), "torch.save does not write such a record");
    }
  }
}

void scan_pickled_file(std::string_view bytes, std::string_view record, ScanState& state, PickledFor use) {
  if (starts_with(bytes, zip::kLocalHeader)) return scan_nested_zip(bytes, record, state, use);
  if (looks_like_tar(bytes)) {
    state.add(RuleId::nested_archive, record, file_of(record),
              "a tar archive, whose pickles torch.load reads without weights_only");
  }
  scan_pickles(bytes, record, state, use);
}

void require_plain_sample_inputs(std::string_view bytes, const schemagen::Limits& limits) {
  ScanState state(bytes.size(), limits);
  scan_pickled_file(bytes, "", state, PickledFor::sample_inputs);
  for (const Finding& finding : state.take()) {
    if (finding.severity != Severity::note) throw schemagen::DataError(finding.message);
  }
}

bool begins_with_pickle(std::string_view bytes, const schemagen::Limits& limits) {
  if (starts_with(bytes, "\x80")) return true;
  const PickleScan found = scan_pickle(bytes, limits);
  return !found.fault || !found.dangers.empty() || !found.of_torchao.empty();
}

}  // namespace pt2
