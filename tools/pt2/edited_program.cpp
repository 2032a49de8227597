#include "edited_program.h"

#include <algorithm>
#include <utility>

#include "each_model.h"
#include "input.h"
#include "output.h"
#include "pt2/archive/tensors/payloads.h"
#include "pt2/json.h"
#include "schemagen/json/json.h"

namespace pt2::tool {

namespace {

std::optional<FileFormat> require_edited_output(const std::string& out) {
  return require_output(out, {FileFormat::json, FileFormat::pt2b, FileFormat::archive});
}

std::shared_ptr<const ProgramFile> open_source(const std::string& in, const std::string& out) {
  auto file = std::make_shared<const ProgramFile>(open_input(in));
  require_source(*file, out);
  return file;
}

EditedProgram model_to_edit(const std::string& in, const std::shared_ptr<const ProgramFile>& file,
                            std::optional<FileFormat> format, const std::optional<std::string>& model,
                            const char* why_refused) {
  LoadOptions options;
  options.model = model;
  LoadedProgram loaded = load_to_write(in, *file, options, format.value_or(FileFormat::json), why_refused);
  EditedProgram edited{file, std::move(loaded), model, {}, format == FileFormat::archive};
  if (!edited.is_archive) return edited;
  const Archive& archive = *file->archive();
  for (const PayloadPart part : kPayloadParts) {
    const std::optional<std::string> record = find_payload_config(archive, part, edited.loaded.source.model);
    if (!record) continue;
    edited.configs.push_back({*record, read_payload_config(archive, *record, file->limits()), {}});
  }
  return edited;
}

}  // namespace

EditedProgram open_to_edit(const std::string& in, const std::string& out,
                           const std::optional<std::string>& model, const char* why_refused) {
  const std::optional<FileFormat> format = require_edited_output(out);
  return model_to_edit(in, open_source(in, out), format, model, why_refused);
}

std::vector<EditedProgram> open_all_to_edit(const std::string& in, const std::string& out,
                                            const std::optional<std::string>& model,
                                            const char* why_refused) {
  const std::optional<FileFormat> format = require_edited_output(out);
  const std::shared_ptr<const ProgramFile> file = open_source(in, out);
  std::vector<EditedProgram> edited;
  if (format != FileFormat::archive)
    return edited.push_back(model_to_edit(in, file, format, model, why_refused)), edited;
  for (const std::optional<std::string>& each : models_of(*file, model))
    edited.push_back(model_to_edit(in, file, format, each, why_refused));
  return edited;
}

void write_edited(const std::vector<EditedProgram>& edited, const std::string& out) {
  const EditedProgram& first = edited.front();
  const bool has_configs = std::any_of(edited.begin(), edited.end(),
                                       [](const EditedProgram& each) { return !each.configs.empty(); });
  if (!has_configs && edited.size() == 1)
    return save_program(first.loaded, output_target(out), {first.file.get()});
  const Archive& archive = *first.file->archive();
  std::vector<NewMember> members;
  for (const EditedProgram& each : edited) {
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
  write_archive(archive, members, out);
}

}  // namespace pt2::tool
