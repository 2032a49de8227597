// Source: torch 2.13: load_pt2() and PT2ArchiveReader in torch/export/pt2_archive/_package.py,
// PyTorchStreamReader in caffe2/serialize/inline_container.cc.
#include "pt2/scan/verify_records.h"

#include <algorithm>
#include <string>
#include <utility>

#include "pt2/archive/contents.h"
#include "pt2/archive/record_names.h"
#include "pt2/archive/tensors/payloads.h"
#include "pt2/text/affix.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

class RecordCheck {
 public:
  explicit RecordCheck(const Archive& archive) : archive_(archive) {}

  /// torch compares these records exactly, including whitespace.
  void check_versions() {
    require_text(record::kFormat, "pt2");
    require_text(record::kVersion, "0");
    if (!has(record::kZipVersion) && !has("version")) add_missing(record::kZipVersion);
  }

  /// torch takes all names with this prefix, even folders, as models, and requires their records. For other
  /// folders, empty records are fine.
  void check_folders() {
    for (const ZipMember& member : archive_.zip.members()) {
      const std::string_view record = record_name(archive_, member);
      if (!ends_with(record, "/")) continue;
      if (!starts_with(record, record::kModels) && !starts_with(record, record::kAotInductor)) continue;
      return add("torch mistakes the folder entry " + schemagen::quoted(record) + " for a model");
    }
  }

  void check_model(std::string_view model) {
    const std::string inputs = record::joined(record::kSampleInputs, model, record::kPickle);
    if (!has(inputs)) add_missing(inputs);
    for (const PayloadPart part : kPayloadParts) {
      if (!has_payloads(archive_, part, model)) add_missing(payload_config_record(part, model));
    }
  }

  std::vector<Finding> take() { return std::move(findings_); }

 private:
  bool has(std::string_view record) const { return find_record(archive_, record) != nullptr; }

  void require_text(std::string_view record, std::string_view expected) {
    const ZipMember* const member = find_record(archive_, record);
    if (member == nullptr) return add_missing(record);
    if (member->size == expected.size() && archive_.zip.read(*member).view() == expected) return;
    add("expected the record " + schemagen::quoted(record) + " to contain exactly " +
        schemagen::quoted(expected));
  }

  void add_missing(std::string_view record) {
    add("the archive has no record " + schemagen::quoted(record) + ", which torch requires");
  }
  void add(std::string message) {
    findings_.push_back({RuleId::archive_record, Severity::error, "", std::move(message)});
  }

  const Archive& archive_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> verify_records(const Archive& archive, std::string_view model) {
  if (archive.container == Container::old_zip) return {};
  RecordCheck records(archive);
  if (model == archive.models.front().name) {
    records.check_versions();
    records.check_folders();
  }
  records.check_model(model);
  return records.take();
}

std::vector<Finding> verify_checksums(const Archive& archive) {
  std::vector<Finding> findings;
  for (const ZipMember& member : archive.zip.members()) {
    const bool is_program =
        std::any_of(archive.models.begin(), archive.models.end(),
                    [&](const ArchivedModel& model) { return model.member == member.name; });
    if (is_program) continue;
    try {
      archive.zip.copy(member, [](std::string_view) {});
    } catch (const schemagen::DataError& error) {
      findings.push_back({RuleId::record_checksum, Severity::error, "", error.what(),
                          std::string(record_name(archive, member))});
    }
  }
  return findings;
}

}  // namespace pt2
