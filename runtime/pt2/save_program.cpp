#include "pt2/save_program.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "pt2/archive/archive_writer.h"
#include "pt2/archive/tensors/model_writer.h"
#include "pt2/archive/tensors/weights.h"
#include "pt2/graph/signature.h"
#include "pt2/json.h"
#include "pt2/schema_info.h"
#include "pt2/text/affix.h"
#include "pt2/visit.h"
#include "pt2/weights.h"
#include "schemagen/base/attempt.h"
#include "schemagen/base/error.h"
#include "schemagen/base/map.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

[[noreturn]] void refuse_target(const SaveTarget& target, const std::string& why) {
  throw schemagen::UsageError("cannot write " +
                              (target.path().empty() ? "the program" : schemagen::quoted(target.path())) +
                              ": " + why);
}

void require_whole(const LoadedProgram& loaded, const SaveTarget& target) {
  if (loaded.left_out.empty()) return;
  std::string fields;
  for (const schemagen::FieldName& field : loaded.left_out) {
    fields += (fields.empty() ? "" : ", ") + std::string(field.type) + "." + std::string(field.name);
  }
  refuse_target(target, "the program was read without " + fields +
                            "; read it whole, or write it as it is with SaveOptions::incomplete");
}

/// Adds to `options` the unknown fields of `loaded`, as borrowed.
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

/// Returns the tensors among `weights` that `part` reads.
std::vector<NamedTensor> used_tensors(const ExportedProgram& part, std::vector<Weight> weights) {
  const ExportGraphSignature signature(part.graph_module.signature);
  const auto is_unread = [&](const Weight& weight) {
    return signature.input_of_target(weight.name) == nullptr;
  };
  weights.erase(std::remove_if(weights.begin(), weights.end(), is_unread), weights.end());
  for (const Weight& weight : weights) {
    if (weight.class_name.empty()) continue;
    throw schemagen::UsageError("the part needs " + schemagen::quoted(weight.name) + ", a " +
                                weight.class_name +
                                ", which only a pickle can hold: write the part alone, as .json or .pt2b");
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

/// `constants`: LoadedProgram::constants. If empty, the constants of the replaced model stay.
void write_raw_copy(const ExportedProgram& program, const std::vector<NamedTensor>& constants,
                    const SaveTarget& target, const SaveOptions& options) {
  if (options.json.preserved != nullptr && !options.json.preserved->empty()) {
    refuse_target(target, "unknown fields that were kept cannot be put back where weights are moved");
  }
  const ProgramFile& source = *options.source;
  const std::string name = find_model(*source.archive(), options.model).name;
  target.write([&](const ByteSink& sink) {
    write_raw_archive(*source.archive(), name, program, constants, sink, source.limits());
  });
}

/// The types of the user inputs of a program, and the trees that they are passed in.
std::vector<std::string> user_inputs_of(const ExportedProgram& program) {
  std::vector<std::string> inputs;
  for (const InputSpec& spec : program.graph_module.signature.input_specs) {
    if (!is_users(spec.kind())) continue;
    const auto parts = parts_of(spec);
    const TensorMeta* const meta =
        parts.name == nullptr ? nullptr : program.graph_module.graph.tensor_values.find(*parts.name);
    std::string text = meta == nullptr ? schemagen::to_json(spec)
                                       : std::to_string(static_cast<std::int32_t>(meta->dtype)) + ":";
    for (std::size_t i = 0; meta != nullptr && i < meta->sizes.size(); ++i) {
      const std::int64_t* const size = meta->sizes[i].get_if<SymInt::as_int>();
      text += (size == nullptr ? "?" : std::to_string(*size)) + ",";
    }
    inputs.push_back(std::move(text));
  }
  const auto& calls = program.graph_module.module_call_graph;
  if (!calls.empty() && calls.front().signature) inputs.push_back(calls.front().signature->in_spec);
  return inputs;
}

/// Returns whether `weights`, in any order, are the tensors of `stored`, and on the same devices.
bool are_as_stored(const std::vector<Weight>& weights, const std::vector<Weight>& stored) {
  if (weights.size() != stored.size()) return false;
  schemagen::Map<const Weight*> by_name;
  for (const Weight& weight : stored) by_name.insert(weight.name, &weight);
  return std::all_of(weights.begin(), weights.end(), [&](const Weight& weight) {
    const Weight& old = **by_name.find(weight.name);
    return !weight.tensor || !old.tensor || weight.tensor->device.type == old.tensor->device.type;
  });
}

void write_as_stored(const ExportedProgram& program, const SaveTarget& target, const SaveOptions& options) {
  const Archive& archive = *options.source->archive();
  const std::vector<NewMember> members = model_members(archive, options.model, program, options.json);
  target.write([&](const ByteSink& sink) { rewrite_archive(archive, members, sink); });
}

void write_matching(const ExportedProgram& program, const SaveTarget& target, const SaveOptions& options) {
  const ProgramFile& source = *options.source;
  const Archive& archive = *source.archive();
  const ArchivedModel& model = find_model(archive, options.model);
  LoadOptions loading;
  loading.model = model.name;
  loading.newer_fields = schemagen::UnknownFields::skip;
  loading.leave_out = {schemagen::field_name<&Graph::nodes>};
  const LoadedProgram old = load_program(source, loading);
  std::vector<Weight> stored =
      weights_of(archive, model.name, old.program.graph_module.signature, source.limits());
  append_constants(stored, old.constants, "");
  const bool has_given = options.tensors != nullptr && !options.tensors->empty();
  const std::vector<Weight> weights =
      matching_weights(program, stored, has_given ? *options.tensors : std::vector<NamedTensor>());
  const bool keeps_samples = user_inputs_of(program) == user_inputs_of(old.program);
  if (!has_given && keeps_samples && old.constants.empty() && are_as_stored(weights, stored)) {
    return write_as_stored(program, target, options);
  }
  if (options.json.preserved != nullptr && !options.json.preserved->empty()) {
    refuse_target(target, "unknown fields that were kept cannot be put back where weights change");
  }
  target.write([&](const ByteSink& sink) {
    write_replaced_model(archive, model.name, program, weights, keeps_samples, sink, source.limits());
  });
}

void write_archive_copy(const ExportedProgram& program, std::vector<NamedTensor> constants,
                        const SaveTarget& target, const SaveOptions& options) {
  if (options.source == nullptr) {
    refuse_target(target, "an archive holds weights; pass the file that the program comes from");
  }
  const Archive* const archive = options.source->archive();
  if (archive == nullptr) {
    refuse_target(target, "an archive needs weights, but the source is not an archive");
  }
  if (options.weights == SaveWeights::matching) return write_matching(program, target, options);
  if (options.weights == SaveWeights::used) {
    std::vector<Weight> weights = load_weights(*options.source, options.model);
    return write_new_archive(program, used_tensors(program, std::move(weights)), target);
  }
  if (constants.empty()) constants = constants_in_program(*options.source, options.model);
  if (!constants.empty() || (options.weights == SaveWeights::raw && has_pickled_weights(*archive))) {
    return write_raw_copy(program, constants, target, options);
  }
  write_as_stored(program, target, options);
}

void save(const ExportedProgram& program, const std::vector<NamedTensor>& constants, const SaveTarget& target,
          const SaveOptions& options) {
  if (!target.format()) refuse_target(target, "the name must end in .json, .pt2b or .pt2");
  if (options.tensors != nullptr && target.format() != FileFormat::archive) {
    refuse_target(target, "a program with its tensors is an archive: .pt2");
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
