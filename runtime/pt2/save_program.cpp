#include "pt2/save_program.h"

#include "pt2/archive/archive_writer.h"
#include "pt2/archive/tensors/model_writer.h"
#include "pt2/archive/tensors/payloads.h"
#include "pt2/graph/signature.h"
#include "pt2/json.h"
#include "pt2/schema_info.h"
#include "pt2/text/affix.h"
#include "pt2/weights.h"
#include "schemagen/base/attempt.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

SaveOptions as_read(const LoadedProgram& loaded, SaveOptions options) {
  options.json.preserved = &loaded.unknown_fields;
  options.binary.payload.preserved = &loaded.unknown_fields;
  const std::optional<BinaryFileSource>& binary = loaded.source.binary_file;
  const bool is_whole = binary && loaded.skipped.empty() && !loaded.upgraded_from;
  if (is_whole && binary->header.schema_minor > std::uint32_t{kSchemaMinor}) {
    options.binary.written_by = &binary->header;
  }
  if (!options.model && !loaded.source.model.empty()) options.model = loaded.source.model;
  return options;
}

std::vector<NamedTensor> used_tensors(const ExportedProgram& part, std::vector<Weight> weights) {
  const ExportGraphSignature signature(part.graph_module.signature);
  const auto is_unread = [&](const Weight& weight) {
    return signature.input_of_target(weight.name) == nullptr;
  };
  weights.erase(std::remove_if(weights.begin(), weights.end(), is_unread), weights.end());
  for (const Weight& weight : weights) {
    if (weight.class_name.empty()) continue;
    throw schemagen::UsageError(
        "the part needs " + schemagen::quoted(weight.name) + ", a " + weight.class_name +
        ", which can only be pickled; write the part without weights, as .json or .pt2b");
  }
  return tensors_of(weights);
}

void write_new_archive(const ExportedProgram& program, const std::vector<NamedTensor>& tensors,
                       const SaveTarget& target) {
  const std::vector<Weight> weights = weights_for(program, tensors);
  target.write([&](const ByteSink& sink) {
    ArchiveWriter writer(sink);
    write_model(writer, "model", program, weights);
    writer.finish();
  });
}

/// An empty `constants` (from LoadedProgram) keeps the replaced model's.
void write_raw_copy(const Archive& archive, const ExportedProgram& program, const ArchivedModel& model,
                    const std::vector<NamedTensor>& constants, const ZipMember* samples,
                    const SaveTarget& target, const SaveOptions& options) {
  if (options.json.preserved != nullptr && !options.json.preserved->empty()) {
    target.cannot_write("preserved unknown fields cannot be written when weights move");
  }
  Archive copied = archive;
  if (samples != nullptr)
    copied.zip = archive.zip.without([&](const ZipMember& member) { return member.name == samples->name; });
  target.write([&](const ByteSink& sink) {
    write_raw_archive(copied, model.name, program, constants, sink, options.source->limits());
  });
}

void write_as_stored(const Archive& archive, const ExportedProgram& program, const ArchivedModel& model,
                     const ZipMember* samples, const SaveTarget& target, const SaveOptions& options) {
  std::vector<NewMember> members = model_members(archive, model, program, options.json);
  if (samples != nullptr) members.push_back({std::string(samples->name), ""});
  target.write([&](const ByteSink& sink) { rewrite_archive(archive, members, sink); });
}

void write_archive_copy(const ExportedProgram& program, std::vector<NamedTensor> constants,
                        const SaveTarget& target, const SaveOptions& options) {
  if (options.source == nullptr) {
    target.cannot_write("an archive needs weights; pass the file that the program comes from");
  }
  const Archive* const archive = options.source->archive();
  if (archive == nullptr) {
    target.cannot_write("an archive needs weights, but the source file is not an archive");
  }
  if (options.weights == SaveWeights::used) {
    std::vector<Weight> weights = load_weights(*options.source, options.model);
    return write_new_archive(program, used_tensors(program, std::move(weights)), target);
  }
  if (constants.empty()) constants = constants_in_program(*options.source, options.model);
  const ArchivedModel& model = find_model(*archive, options.model);
  const Archive copied =
      options.only_model ? only_model(*archive, model.name, options.source->limits()) : *archive;
  const ZipMember* const samples = options.drop_samples ? find_sample_inputs(copied, model) : nullptr;
  if (!constants.empty() || (options.weights == SaveWeights::raw && has_pickled_weights(copied))) {
    return write_raw_copy(copied, program, model, constants, samples, target, options);
  }
  write_as_stored(copied, program, model, samples, target, options);
}

void save(const ExportedProgram& program, const std::vector<NamedTensor>& constants, const SaveTarget& target,
          const SaveOptions& options) {
  if (!target.format()) target.cannot_write("the name must end in .json, .pt2b or .pt2");
  if (options.tensors != nullptr && target.format() != FileFormat::archive) {
    target.cannot_write("a program with tensors must be written to an archive (.pt2)");
  }
  if (options.tensors != nullptr && options.source == nullptr)
    return write_new_archive(program, *options.tensors, target);
  if (target.format() == FileFormat::archive) return write_archive_copy(program, constants, target, options);
  const std::string bytes = target.format() == FileFormat::json ? schemagen::to_json(program, options.json)
                                                                : to_pt2b(program, options.binary);
  target.write([&](const ByteSink& sink) { sink(bytes); });
}

}  // namespace

std::optional<FileFormat> format_of_name(std::string_view path) {
  if (ends_with(path, ".json")) return FileFormat::json;
  if (ends_with(path, ".pt2b")) return FileFormat::pt2b;
  if (ends_with(path, ".pt2")) return FileFormat::archive;
  return std::nullopt;
}

void SaveTarget::write(const ByteSource& write) const {
  sink_ ? write(sink_) : write_file_atomically(path_, write);
}

void SaveTarget::cannot_write(const std::string& why) const {
  throw schemagen::UsageError("cannot write " + (path_.empty() ? "the program" : schemagen::quoted(path_)) +
                              ": " + why);
}

BinaryFileWriteOptions default_binary_options() {
  BinaryFileWriteOptions options;
  options.compression = schemagen::has_zstd() ? Compression::zstd : Compression::none;
  return options;
}

void save_program(const ExportedProgram& program, const SaveTarget& target, const SaveOptions& options) {
  save(program, {}, target, options);
}

void save_program(const LoadedProgram& loaded, const SaveTarget& target, const SaveOptions& options) {
  if (!options.incomplete) require_whole(loaded, target);
  if (target.format() != FileFormat::archive) require_no_constants(loaded);
  save(loaded.program, loaded.constants, target, as_read(loaded, options));
}

schemagen::Result<void> try_save_program(const ExportedProgram& program, const SaveTarget& target,
                                         const SaveOptions& options) noexcept {
  return schemagen::attempt([&] { save_program(program, target, options); });
}

schemagen::Result<void> try_save_program(const LoadedProgram& loaded, const SaveTarget& target,
                                         const SaveOptions& options) noexcept {
  return schemagen::attempt([&] { save_program(loaded, target, options); });
}

void require_whole(const LoadedProgram& loaded, const SaveTarget& target) {
  if (loaded.left_out.empty()) return;
  std::string fields;
  for (const schemagen::FieldName& field : loaded.left_out) {
    fields += (fields.empty() ? "" : ", ") + std::string(field.type) + "." + std::string(field.name);
  }
  target.cannot_write("the program was read without " + fields +
                      "; read all of it, or set SaveOptions::incomplete to write it as it is");
}

void require_no_constants(const LoadedProgram& loaded) {
  if (loaded.constants.empty() || loaded.source.container) return;
  std::vector<std::string_view> names;
  for (const NamedTensor& constant : loaded.constants) names.push_back(constant.name);
  throw schemagen::DataError(
      "the program contains the constants " + schemagen::quoted_list(names) +
      ", which a JSON or .pt2b file of schema " + std::to_string(kSchemaMajor) +
      " cannot contain; hint: write the program into the archive that has its weights: pt2 convert "
      "IN OUT.pt2 --into ARCHIVE");
}

std::vector<NewMember> model_members(const Archive& archive, const ArchivedModel& model,
                                     const ExportedProgram& program,
                                     const schemagen::JsonWriteOptions& writing) {
  std::vector<NewMember> members = {{model.member, schemagen::to_json(program, writing)}};
  for (NewMember& member : version_members(archive, program.schema_version)) {
    members.push_back(std::move(member));
  }
  return members;
}

}  // namespace pt2
