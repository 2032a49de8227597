#include "pt2/save_program.h"

#include <utility>

#include "pt2/archive/file.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "pt2/text/affix.h"
#include "schemagen/json/json.h"
#include "schemagen/value/attempt.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"

namespace pt2 {
namespace {

[[noreturn]] void refuse_name(const std::string& path, const std::string& why) {
  throw schemagen::UsageError("cannot write " + schemagen::quoted(path) + ": " + why);
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

void save_program(const ExportedProgram& program, const std::string& path,
                  const BinaryFileWriteOptions& binary) {
  const std::optional<FileFormat> format = format_of_name(path);
  if (!format) refuse_name(path, "the name must end in .json, .pt2b or .pt2");
  if (*format == FileFormat::archive) {
    refuse_name(path, "an archive holds weights; pass the file that the program comes from");
  }
  write_file_atomically(path,
                        *format == FileFormat::json ? schemagen::to_json(program) : to_pt2b(program, binary));
}

void save_program(const ExportedProgram& program, const std::string& path, const ProgramFile& source,
                  const std::optional<std::string>& model) {
  if (format_of_name(path) != FileFormat::archive) return save_program(program, path);
  const Archive* const archive = source.archive();
  if (archive == nullptr) {
    refuse_name(path, "an archive holds weights, which the source does not have, as it is not an archive");
  }
  const std::vector<NewMember> members = model_members(*archive, model, program);
  write_file_atomically(path, [&](const ByteSink& sink) { rewrite_archive(*archive, members, sink); });
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
  save_program(loaded.program, path);
}

void save_program(const LoadedProgram& loaded, const std::string& path, const ProgramFile& source,
                  Incomplete incomplete) {
  require_whole(loaded, path, incomplete);
  const std::string& model = loaded.source.model;
  save_program(loaded.program, path, source, model.empty() ? std::nullopt : std::optional(model));
}

std::vector<NewMember> model_members(const Archive& archive, const std::optional<std::string>& model,
                                     const ExportedProgram& program) {
  std::vector<NewMember> members = {{find_model(archive, model).member, schemagen::to_json(program)}};
  for (NewMember& member : version_members(archive, program.schema_version)) {
    members.push_back(std::move(member));
  }
  return members;
}

}  // namespace pt2
