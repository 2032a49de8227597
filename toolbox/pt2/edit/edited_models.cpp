#include "pt2/edit/edited_models.h"

#include <algorithm>
#include <utility>

#include "pt2/archive/contents.h"
#include "pt2/archive/tensors/payloads.h"
#include "pt2/json.h"

namespace pt2 {

std::vector<std::optional<std::string>> models_of(const ProgramFile& file,
                                                  const std::optional<std::string>& chosen) {
  std::vector<std::optional<std::string>> models;
  if (file.archive() != nullptr && !chosen) {
    for (const ArchivedModel& model : file.archive()->models) models.emplace_back(model.name);
    if (models.empty()) {
      for (const std::string& name : contents_of(*file.archive()).aotinductor) models.emplace_back(name);
    }
  }
  if (models.size() < 2) models = {chosen};
  return models;
}

FileFormat require_target(const ProgramFile& file, const SaveTarget& target) {
  if (!target.format()) target.cannot_write("the name must end in .json, .pt2b or .pt2");
  if (target.format() == FileFormat::archive && file.archive() == nullptr)
    target.cannot_write("an archive needs weights, but IN is not an archive");
  return *target.format();
}

EditedModel model_to_edit(const FileSource& source, const SaveTarget& target, const char* why_refused) {
  const FileFormat format = require_target(source.file, target);
  LoadOptions options;
  options.model = source.model;
  EditedModel edited{
      load_to_write(source.file, options, format, source.notify, why_refused), source.model, {}};
  if (format != FileFormat::archive) return edited;
  const Archive& archive = *source.file.archive();
  for (const PayloadPart part : kPayloadParts) {
    const std::optional<std::string> record = find_payload_config(archive, part, edited.loaded.source.model);
    if (!record) continue;
    edited.configs.push_back({*record, read_payload_config(archive, *record, source.file.limits()), {}});
  }
  return edited;
}

std::vector<EditedModel> models_to_edit(const FileSource& source, const SaveTarget& target,
                                        const char* why_refused) {
  std::vector<std::optional<std::string>> models = {source.model};
  if (require_target(source.file, target) == FileFormat::archive)
    models = models_of(source.file, source.model);
  std::vector<EditedModel> edited;
  for (const std::optional<std::string>& model : models)
    edited.push_back(model_to_edit({source.file, model, source.notify}, target, why_refused));
  return edited;
}

void write_edited(const ProgramFile& file, const std::vector<EditedModel>& edited, const SaveTarget& target) {
  const bool has_configs = std::any_of(edited.begin(), edited.end(),
                                       [](const EditedModel& each) { return !each.configs.empty(); });
  if (!has_configs && edited.size() == 1) return save_program(edited.front().loaded, target, {&file});
  const Archive& archive = *file.archive();
  std::vector<NewMember> members;
  for (const EditedModel& each : edited) {
    schemagen::JsonWriteOptions writing;
    writing.preserved = &each.loaded.unknown_fields;
    for (NewMember& member :
         model_members(archive, find_model(archive, each.model), each.loaded.program, writing))
      members.push_back(std::move(member));
    for (const EditedConfig& config : each.configs) {
      members.push_back(
          {std::string(find_record(archive, config.record)->name), schemagen::to_json(config.config)});
      for (const std::string& record : config.empty_records)
        members.push_back({archive.top_folder + "/" + record, ""});
    }
  }
  target.write([&](const ByteSink& sink) { rewrite_archive(archive, members, sink); });
}

}  // namespace pt2
