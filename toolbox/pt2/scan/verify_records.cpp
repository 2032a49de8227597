// Source: torch 2.13: load_pt2() and PT2ArchiveReader in torch/export/pt2_archive/_package.py,
// PyTorchStreamReader in caffe2/serialize/inline_container.cc.
#include "pt2/scan/verify_records.h"

#include "pt2/archive/contents.h"
#include "pt2/archive/record_names.h"
#include "pt2/archive/tensors/payloads.h"
#include "pt2/text/affix.h"
#include "schemagen/base/quote.h"

namespace pt2 {

std::vector<Finding> verify_records(const Archive& archive, std::string_view model) {
  std::vector<Finding> findings;
  if (archive.container == Container::old_zip) return findings;
  const auto add = [&](std::string message) {
    findings.push_back({RuleId::archive_record, Severity::error, "", std::move(message)});
  };
  const auto add_missing = [&](std::string_view record) {
    add("the archive has no record " + schemagen::quoted(record) + ", which torch requires");
  };
  const auto has = [&](std::string_view record) { return find_record(archive, record) != nullptr; };
  if (model == archive.models.front().name) {
    // torch compares these records exactly, including whitespace.
    constexpr std::pair<std::string_view, std::string_view> kTexts[] = {{record::kFormat, "pt2"},
                                                                        {record::kVersion, "0"}};
    for (const auto& [record, expected] : kTexts) {
      const ZipMember* const member = find_record(archive, record);
      if (member == nullptr) {
        add_missing(record);
      } else if (member->size != expected.size() || archive.zip.read(*member).view() != expected) {
        add("expected the record " + schemagen::quoted(record) + " to contain exactly " +
            schemagen::quoted(expected));
      }
    }
    if (!has(record::kZipVersion) && !has("version")) add_missing(record::kZipVersion);
    // torch takes all names with these prefixes, even folders, as models, and requires their records. For
    // other folders, empty records are fine.
    const auto& members = archive.zip.members();
    const auto folder = std::find_if(members.begin(), members.end(), [&](const ZipMember& member) {
      const std::string_view record = record_name(archive, member);
      return ends_with(record, "/") &&
             (starts_with(record, record::kModels) || starts_with(record, record::kAotInductor));
    });
    if (folder != members.end())
      add("torch mistakes the folder entry " + schemagen::quoted(record_name(archive, *folder)) +
          " for a model");
  }
  const std::string inputs = record::joined(record::kSampleInputs, model, record::kPickle);
  if (!has(inputs)) add_missing(inputs);
  for (const PayloadPart part : kPayloadParts) {
    if (!has_payloads(archive, part, model)) add_missing(payload_config_record(part, model));
  }
  return findings;
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
