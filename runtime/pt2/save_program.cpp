#include "pt2/program.h"

#include <utility>

#include "pt2/archive/file.h"
#include "pt2/json.h"
#include "pt2/schema_info.h"
#include "pt2/text/affix.h"
#include "pt2/weights.h"
#include "schemagen/base/attempt.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/result.h"
#include "schemagen/json/json.h"

namespace pt2 {
namespace {

[[noreturn]] void refuse_name(const std::string& path, const std::string& why) {
  throw schemagen::UsageError("cannot write " + schemagen::quoted(path) + ": " + why);
}

/// The model that `loaded` was read from, if it has a name.
std::optional<std::string> model_of(const LoadedProgram& loaded) {
  const std::string& model = loaded.source.model;
  return model.empty() ? std::nullopt : std::optional(model);
}

void require_whole(const LoadedProgram& loaded, const std::string& path, Incomplete incomplete) {
  if (incomplete == Incomplete::write || loaded.left_out.empty()) return;
  std::string fields;
  for (const schemagen::FieldName& field : loaded.left_out) {
    fields += (fields.empty() ? "" : ", ") + std::string(field.type) + "." + std::string(field.name);
  }
  refuse_name(path, "the program was read without " + fields +
                        "; read it whole, or write it as it is with Incomplete::write");
}

/// How a program is written.
struct Writing {
  schemagen::JsonWriteOptions json;
  BinaryFileWriteOptions binary;
};

/// As it was read, with what was kept.
Writing as_read(const LoadedProgram& loaded) {
  Writing writing;
  writing.binary = binary_options_of(loaded, default_binary_options());
  writing.json.preserved = &loaded.unknown_fields;
  return writing;
}

/// A file of its own.
void write_alone(const ExportedProgram& program, const std::string& path, const Writing& writing) {
  const std::optional<FileFormat> format = format_of_name(path);
  if (!format) refuse_name(path, "the name must end in .json, .pt2b or .pt2");
  if (*format == FileFormat::archive) {
    refuse_name(path, "an archive holds weights; pass the file that the program comes from");
  }
  write_file_atomically(path, *format == FileFormat::json ? schemagen::to_json(program, writing.json)
                                                          : to_pt2b(program, writing.binary));
}

/// `constants` are those that came with the program in itself.
void write_from(const ExportedProgram& program, const std::string& path, const ProgramFile& source,
                const std::optional<std::string>& model, const Writing& writing,
                const std::vector<NamedTensor>& constants = {}) {
  if (format_of_name(path) != FileFormat::archive) return write_alone(program, path, writing);
  const Archive* const archive = source.archive();
  if (archive == nullptr) {
    refuse_name(path, "an archive holds weights, which the source does not have, as it is not an archive");
  }
  if (!constants.empty() || !constants_in_program(source, model).empty()) {
    if (writing.json.preserved != nullptr && !writing.json.preserved->empty()) {
      refuse_name(path,
                  "unknown fields that were kept cannot be put where constants are moved out of a program");
    }
    return save_raw(program, path, source, model, constants);
  }
  const std::vector<NewMember> members = model_members(*archive, model, program, writing.json);
  write_file_atomically(path, [&](const ByteSink& sink) { rewrite_archive(*archive, members, sink); });
}

}  // namespace

std::optional<FileFormat> format_of_name(std::string_view path) {
  if (ends_with(path, ".json")) return FileFormat::json;
  if (ends_with(path, ".pt2b")) return FileFormat::pt2b;
  if (ends_with(path, ".pt2")) return FileFormat::archive;
  return std::nullopt;
}

BinaryFileWriteOptions default_binary_options() {
  BinaryFileWriteOptions options;
  options.compression = schemagen::has_zstd() ? Compression::zstd : Compression::none;
  return options;
}

BinaryFileWriteOptions binary_options_of(const LoadedProgram& loaded, BinaryFileWriteOptions options) {
  options.payload.preserved = &loaded.unknown_fields;
  const std::optional<BinaryFileSource>& envelope = loaded.source.envelope;
  const bool is_whole = envelope && loaded.skipped.empty() && !loaded.upgraded_from;
  if (is_whole && envelope->header.schema_minor > std::uint32_t{kSchemaMinor}) {
    options.written_by = &envelope->header;
  }
  return options;
}

void save_program(const ExportedProgram& program, const std::string& path,
                  const BinaryFileWriteOptions& binary) {
  write_alone(program, path, {{}, binary});
}

void save_program(const ExportedProgram& program, const std::string& path, const ProgramFile& source,
                  const std::optional<std::string>& model) {
  write_from(program, path, source, model, {{}, default_binary_options()});
}

schemagen::Result<void> try_save_program(const ExportedProgram& program, const std::string& path,
                                         const BinaryFileWriteOptions& binary) noexcept {
  return schemagen::attempt([&] { save_program(program, path, binary); });
}

schemagen::Result<void> try_save_program(const ExportedProgram& program, const std::string& path,
                                         const ProgramFile& source,
                                         const std::optional<std::string>& model) noexcept {
  return schemagen::attempt([&] { save_program(program, path, source, model); });
}

void save_program(const LoadedProgram& loaded, const std::string& path, Incomplete incomplete) {
  require_whole(loaded, path, incomplete);
  require_no_constants(loaded);
  write_alone(loaded.program, path, as_read(loaded));
}

void save_program(const LoadedProgram& loaded, const std::string& path, const ProgramFile& source,
                  Incomplete incomplete) {
  if (format_of_name(path) != FileFormat::archive) return save_program(loaded, path, incomplete);
  require_whole(loaded, path, incomplete);
  write_from(loaded.program, path, source, model_of(loaded), as_read(loaded), loaded.constants);
}

void require_no_constants(const LoadedProgram& loaded) {
  if (loaded.constants.empty() || loaded.source.container) return;
  std::vector<std::string_view> names;
  for (const NamedTensor& constant : loaded.constants) names.push_back(constant.name);
  throw schemagen::DataError("the program has the constants " + schemagen::quoted_list(names) +
                             " in itself, tensors, for which programs of schema " +
                             std::to_string(kSchemaMajor) +
                             " by themselves have no place: write it into the archive with its weights, by "
                             "pt2 convert IN OUT.pt2 --into ARCHIVE");
}

std::vector<NewMember> model_members(const Archive& archive, const std::optional<std::string>& model,
                                     const ExportedProgram& program,
                                     const schemagen::JsonWriteOptions& writing) {
  std::vector<NewMember> members = {
      {find_model(archive, model).member, schemagen::to_json(program, writing)}};
  for (NewMember& member : version_members(archive, program.schema_version)) {
    members.push_back(std::move(member));
  }
  return members;
}

}  // namespace pt2
