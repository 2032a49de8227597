#include "edited_program.h"

#include <utility>

#include "output.h"
#include "pt2/archive/tensors/payloads.h"
#include "pt2/json.h"
#include "schemagen/json/json.h"

namespace pt2::tool {

EditedProgram open_to_edit(const std::string& in, const std::string& out,
                           const std::optional<std::string>& model, const char* why_refused) {
  const std::optional<FileFormat> format =
      require_output(out, {FileFormat::json, FileFormat::pt2b, FileFormat::archive});
  ProgramFile file = open_program_file(in);
  require_source(file, out);
  LoadOptions options;
  options.model = model;
  LoadedProgram loaded = load_to_write(in, file, options, format.value_or(FileFormat::json), why_refused);
  EditedProgram edited{std::move(file), std::move(loaded), model, {}, format == FileFormat::archive};
  if (!edited.is_archive) return edited;
  const Archive& archive = *edited.file.archive();
  for (const PayloadPart part : kPayloadParts) {
    const std::optional<std::string> record = find_payload_config(archive, part, edited.loaded.source.model);
    if (!record) continue;
    edited.configs.push_back({*record, read_payload_config(archive, *record, edited.file.limits()), {}});
  }
  return edited;
}

void write_edited(const EditedProgram& edited, const std::string& out) {
  if (edited.configs.empty()) return save_program(edited.loaded, output_target(out), {&edited.file});
  const Archive& archive = *edited.file.archive();
  schemagen::JsonWriteOptions writing;
  writing.preserved = &edited.loaded.unknown_fields;
  std::vector<NewMember> members =
      model_members(archive, find_model(archive, edited.model), edited.loaded.program, writing);
  for (const EditedConfig& config : edited.configs) {
    members.push_back(
        {std::string(find_record(archive, config.record)->name), schemagen::to_json(config.config)});
    for (const std::string& record : config.empty_records)
      members.push_back({archive.top_folder + "/" + record, ""});
  }
  write_archive(archive, members, out);
}

}  // namespace pt2::tool
