#include "pt2/scan/record_roles.h"

#include "pt2/archive/record_names.h"
#include "pt2/text/affix.h"
#include "schemagen/base/ascii.h"

namespace pt2 {
namespace {

constexpr std::string_view kPickledFile = "data.pkl";
constexpr std::string_view kTensorPrefix = "tensor_";
constexpr std::string_view kCustomObjectPrefix = "custom_obj_";
constexpr std::string_view kOpaqueObjectPrefix = "opaque_obj_";

/// torch 2.1 and 2.2 wrote this pickle as `.json`.
bool is_old_pickle(std::string_view record, std::string_view stem) {
  return starts_with(record, stem) &&
         (record.substr(stem.size()) == record::kPickle || record.substr(stem.size()) == record::kJson);
}

RecordRole role_in_old_zip(std::string_view record) {
  if (record == record::kOldProgram) return RecordRole::program;
  if (record == record::kOldVersion) return RecordRole::layout;
  if (is_old_pickle(record, record::kOldStateDict) || is_old_pickle(record, record::kOldConstants)) {
    return RecordRole::pickle;
  }
  if (is_old_pickle(record, record::kOldInputs)) return RecordRole::sample_inputs;
  return starts_with(record, record::kOldExtra) ? RecordRole::extra : RecordRole::unknown;
}

RecordRole role_of_payload(std::string_view record, std::string_view file) {
  if (ends_with(file, record::kPickle)) return RecordRole::pickle;
  if (ends_with(file, record::kConfig)) return RecordRole::payload_config;
  const bool is_object = starts_with(file, kCustomObjectPrefix) || starts_with(file, kOpaqueObjectPrefix);
  return starts_with(record, record::kConstants) && is_object ? RecordRole::pickle
                                                              : RecordRole::unlisted_payload;
}

RecordRole role_in_pt2_archive(std::string_view record) {
  for (const std::string_view name : {record::kFormat, record::kVersion, record::kByteOrder,
                                      record::kZipVersion, record::kSerializationId}) {
    if (record == name) return RecordRole::layout;
  }
  // The loader of compiled models looks for this folder anywhere.
  if (record.find(record::kAotInductor) != record.npos) return RecordRole::compiled;
  if (starts_with(record, record::kModels)) return RecordRole::program;
  if (starts_with(record, record::kSampleInputs)) return RecordRole::sample_inputs;
  if (starts_with(record, record::kExtra)) return RecordRole::extra;
  for (const std::string_view folder : {record::kWeights, record::kConstants}) {
    if (starts_with(record, folder)) return role_of_payload(record, record.substr(record.rfind('/') + 1));
  }
  return RecordRole::unknown;
}

RecordRole role_in_torch_file(std::string_view record) {
  if (record == kPickledFile) return RecordRole::pickle;
  for (const std::string_view name :
       {std::string_view("version"), record::kByteOrder, record::kZipVersion, record::kSerializationId,
        std::string_view(".format_version"), std::string_view(".storage_alignment")}) {
    if (record == name) return RecordRole::layout;
  }
  if (starts_with(record, "data/")) return RecordRole::raw_tensor;
  const bool is_torchscript = record == "constants.pkl" || starts_with(record, "code/");
  return is_torchscript ? RecordRole::compiled : RecordRole::unknown;
}

RecordRole role_in(ArchiveLayout layout, std::string_view record) {
  switch (layout) {
    case ArchiveLayout::pt2_archive:
      return role_in_pt2_archive(record);
    case ArchiveLayout::old_zip:
      return role_in_old_zip(record);
    case ArchiveLayout::flat_package:
      return record == record::kOldVersion ? RecordRole::layout : role_in_pt2_archive(record);
    case ArchiveLayout::torch_file:
      return role_in_torch_file(record);
    case ArchiveLayout::unknown:
      break;
  }
  const RecordRole role = role_in_old_zip(record);
  if (role != RecordRole::unknown) return role;
  const std::string_view below = record::below_top_folder(record);
  const RecordRole other = role_in_pt2_archive(below);
  return other != RecordRole::unknown ? other : role_in_torch_file(below);
}

/// One member is characteristic for each layout.
ArchiveLayout layout_from_name(std::string_view name) {
  if (name == record::kOldProgram) return ArchiveLayout::old_zip;
  if (starts_with(name, record::kAotInductor)) return ArchiveLayout::flat_package;
  const std::string_view record = record::below_top_folder(name);
  if (record.size() == name.size()) return ArchiveLayout::unknown;
  if (record == record::kFormat) return ArchiveLayout::pt2_archive;
  return record == kPickledFile ? ArchiveLayout::torch_file : ArchiveLayout::unknown;
}

}  // namespace

ArchiveLayout layout_of(const std::vector<std::string_view>& names) {
  ArchiveLayout layout = ArchiveLayout::unknown;
  for (const std::string_view name : names) {
    const ArchiveLayout named = layout_from_name(folded(name));
    if (named == ArchiveLayout::unknown) continue;
    if (layout != ArchiveLayout::unknown && layout != named) return ArchiveLayout::unknown;
    layout = named;
  }
  return layout;
}

std::string_view record_in(ArchiveLayout layout, std::string_view name) {
  const bool has_folder = layout == ArchiveLayout::pt2_archive || layout == ArchiveLayout::torch_file;
  return has_folder ? record::below_top_folder(name) : name;
}

RecordRole role_by_name(ArchiveLayout layout, std::string_view record) {
  const std::string plain = folded(record);
  return role_in(layout, plain);
}

std::vector<PointedRecord> records_of(const PayloadConfig& config, PayloadPart part) {
  std::vector<PointedRecord> records;
  for (const auto& [name, payload] : config.config) {
    const bool is_object = part == PayloadPart::constants && !starts_with(payload.path_name, kTensorPrefix);
    const std::string& path = payload.path_name;
    records.push_back({starts_with(path, "/") ? path : record::joined(payload_folder(part), path, ""),
                       payload.use_pickle || is_object ? RecordRole::pickle : RecordRole::raw_tensor});
  }
  return records;
}

std::string folded(std::string_view name) {
  std::string plain(name);
  for (char& c : plain) c = schemagen::lower(c);
  return plain;
}

}  // namespace pt2
