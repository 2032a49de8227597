// A copy of an archive with another program and its weights in place of a model.
#include "pt2/archive/tensors/weights.h"

#include <set>
#include <string>

#include "pt2/archive/archive_writer.h"
#include "pt2/archive/contents.h"
#include "pt2/archive/record_names.h"
#include "pt2/archive/tensors/payloads.h"
#include "pt2/text/affix.h"

namespace pt2 {
namespace {

using Records = std::set<std::string, std::less<>>;

/// Adds the records with the weights and constants of a model, and their configs.
void add_weight_records(Records& records, const Archive& archive, const std::string& model,
                        const schemagen::Limits& limits) {
  for (const PayloadPart part : kPayloadParts) {
    if (auto pickled = find_pickled_payload(archive, part, model)) records.insert(*std::move(pickled));
    const auto config = find_payload_config(archive, part, model);
    if (!config) continue;
    records.insert(*config);
    for (const auto& entry : read_payload_config(archive, *config, limits).config) {
      records.insert(std::string(payload_folder(part)) + entry.value.path_name);
    }
  }
}

/// The records that belong to this model only.
Records records_of_model(const Archive& archive, const ArchivedModel& model,
                         const schemagen::Limits& limits) {
  Records records;
  add_weight_records(records, archive, model.name, limits);
  Records others;
  for (const ArchivedModel& other : archive.models) {
    if (other.name != model.name) add_weight_records(others, archive, other.name, limits);
  }
  for (const std::string& record : others) records.erase(record);
  for (const ZipMember* const member : {archive.zip.find(model.member), find_sample_inputs(archive, model)}) {
    if (member != nullptr) records.insert(std::string(record_name(archive, *member)));
  }
  return records;
}

void copy_others(const Archive& archive, const ArchivedModel& model, ArchiveWriter& out,
                 const schemagen::Limits& limits) {
  const Records own = records_of_model(archive, model, limits);
  for (const ZipMember& member : archive.zip.members()) {
    const std::string_view record = record_name(archive, member);
    if (archive.container == Container::pt2_archive) {
      const bool is_copied =
          !record.empty() && own.count(record) == 0 && !is_of_zip(record) && !ends_with(record, "/");
      if (is_copied) out.copy(archive.zip, member, record);
    } else if (starts_with(member.name, record::kOldExtra)) {
      const std::string_view file = member.name.substr(record::kOldExtra.size());
      out.copy(archive.zip, member, std::string(record::kExtra).append(file));
    } else if (is_unknown_old_member(member)) {
      out.copy(archive.zip, member, member.name);
    }
  }
}

}  // namespace

void write_replaced_model(const Archive& archive, const std::string& model, const ExportedProgram& program,
                          const std::vector<Weight>& weights, bool keeps_samples, const ByteSink& out,
                          const schemagen::Limits& limits) {
  const ArchivedModel& replaced = find_model(archive, model);
  const bool is_old = archive.container == Container::old_zip;
  ArchiveWriter writer = is_old ? ArchiveWriter(out) : ArchiveWriter(out, archive.top_folder);
  copy_others(archive, replaced, writer, limits);
  const ZipMember* const samples = keeps_samples ? find_sample_inputs(archive, replaced) : nullptr;
  const MemberBytes bytes = samples == nullptr ? MemberBytes(std::string_view()) : archive.zip.read(*samples);
  write_model(writer, model, program, weights, bytes.view());
  add_missing_inputs(archive, writer);
  writer.finish();
}

}  // namespace pt2
