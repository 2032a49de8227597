#include "pt2/archive/tensors/payloads.h"

#include "pt2/archive/contents.h"
#include "pt2/archive/record_names.h"
#include "pt2/graph/signature.h"
#include "pt2/json.h"
#include "pt2/text/affix.h"
#include "schemagen/base/quote.h"

namespace pt2 {

std::string_view payload_folder(PayloadPart part) {
  return part == PayloadPart::weights ? record::kWeights : record::kConstants;
}

std::string payload_config_record(PayloadPart part, std::string_view model) {
  return record::joined(payload_folder(part), model,
                        part == PayloadPart::weights ? record::kWeightsConfig : record::kConstantsConfig);
}

std::optional<std::string> find_payload_config(const Archive& archive, PayloadPart part,
                                               std::string_view model) {
  std::string record = payload_config_record(part, model);
  if (find_record(archive, record) != nullptr) return record;
  // The name before torch 2.9. For constants, it may also be today's config of a model named `<model>_model`.
  record =
      record::joined(payload_folder(part), model,
                     part == PayloadPart::weights ? record::kOldWeightsConfig : record::kOldConstantsConfig);
  if (find_record(archive, record) == nullptr) return std::nullopt;
  const std::string other = record::joined(record::kModels, model, "_model.json");
  return find_record(archive, other) != nullptr && part == PayloadPart::constants ? std::nullopt
                                                                                  : std::optional(record);
}

std::optional<std::string> find_pickled_payload(const Archive& archive, PayloadPart part,
                                                std::string_view model) {
  std::vector<std::string> records = {record::joined(payload_folder(part), model, record::kPickle)};
  if (archive.container == Container::old_zip) {
    const std::string name(part == PayloadPart::weights ? record::kOldStateDict : record::kOldConstants);
    records = {name + ".pt", name + ".json"};
  }
  for (std::string& record : records) {
    const ZipMember* const member = find_record(archive, record);
    if (member != nullptr && member->size != 0) return std::move(record);
  }
  return std::nullopt;
}

bool has_payloads(const Archive& archive, PayloadPart part, std::string_view model) {
  return find_record(archive, record::joined(payload_folder(part), model, record::kPickle)) != nullptr ||
         find_payload_config(archive, part, model).has_value();
}

std::string why_unfinished(const Archive& archive, std::string_view model, const GraphSignature& signature) {
  if (archive.container == Container::old_zip) return {};
  for (const InputSpec& spec : signature.input_specs) {
    const SpecParts<const InputSpec> parts = parts_of(spec);
    if (parts.kind != InputSpec::parameter && parts.kind != InputSpec::buffer &&
        parts.kind != InputSpec::tensor_constant)
      continue;
    const bool is_weight = parts.kind == InputSpec::parameter || parts.persistent.value_or(false);
    const PayloadPart part = is_weight ? PayloadPart::weights : PayloadPart::constants;
    if (has_payloads(archive, part, model)) continue;
    return "torch.export.save() did not finish this archive: it has no record " +
           schemagen::quoted(payload_config_record(part, model)) + "; hint: save the program again";
  }
  return {};
}

PayloadConfig read_payload_config(const Archive& archive, const std::string& record,
                                  const schemagen::Limits& limits) {
  const MemberBytes json = archive.zip.read(*find_record(archive, record));
  return schemagen::from_json<PayloadConfig>(json.view(), {limits});
}

bool is_object_payload(const PayloadMeta& payload) {
  return starts_with(payload.path_name, "custom_obj_") || starts_with(payload.path_name, "opaque_obj_");
}

std::vector<PayloadTable> payload_tables(const Archive& archive, std::string_view model,
                                         const schemagen::Limits& limits) {
  std::vector<PayloadTable> tables;
  for (const PayloadPart part : kPayloadParts) {
    const std::optional<std::string> record = find_payload_config(archive, part, model);
    if (!record) continue;
    tables.push_back(
        {*record, std::string(payload_folder(part)), read_payload_config(archive, *record, limits)});
  }
  return tables;
}

std::set<std::string> payload_records(const Archive& archive, std::string_view model,
                                      const schemagen::Limits& limits) {
  std::set<std::string> records;
  for (const PayloadPart part : kPayloadParts) {
    if (std::optional<std::string> pickled = find_pickled_payload(archive, part, model))
      records.insert(std::move(*pickled));
  }
  for (const PayloadTable& table : payload_tables(archive, model, limits)) {
    records.insert(table.record);
    for (const auto& [name, payload] : table.config.config) records.insert(table.folder + payload.path_name);
  }
  return records;
}

std::set<std::string> records_of(const Archive& archive, const ArchivedModel& model,
                                 const schemagen::Limits& limits) {
  std::set<std::string> records = payload_records(archive, model.name, limits);
  for (const ZipMember* const member : {archive.zip.find(model.member), find_sample_inputs(archive, model)}) {
    if (member != nullptr) records.emplace(record_name(archive, *member));
  }
  return records;
}

Archive only_model(const Archive& archive, const std::string& model, const schemagen::Limits& limits) {
  std::set<std::string> own;
  std::set<std::string> others;
  Archive rest = archive;
  rest.models = {find_model(archive, model)};
  for (const ArchivedModel& each : archive.models)
    (each.name == model ? own : others).merge(records_of(archive, each, limits));
  const std::string compiled = std::string(record::kAotInductor) + model + "/";
  rest.zip = archive.zip.without([&](const ZipMember& member) {
    const std::string record(record_name(archive, member));
    if (starts_with(record, record::kAotInductor)) return !starts_with(record, compiled);
    return others.count(record) != 0 && own.count(record) == 0;
  });
  return rest;
}

}  // namespace pt2
