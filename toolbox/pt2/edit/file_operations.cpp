#include "pt2/edit/file_operations.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "pt2/archive/contents.h"
#include "pt2/archive/tensors/weights.h"
#include "pt2/edit/edited_models.h"
#include "pt2/edit/matching_weights.h"
#include "pt2/edit/save_into.h"
#include "pt2/weights.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

std::vector<NamedTensor> joined_tensors(const ProgramFile& a, const ProgramFile& b,
                                        const JoinedProgram& joined) {
  std::vector<Weight> stored = load_weights(a);
  for (Weight& weight : load_weights(b)) {
    const auto renamed =
        std::find_if(joined.renamed.begin(), joined.renamed.end(),
                     [&](const NameChange& change) { return change.old_name == weight.name; });
    if (renamed != joined.renamed.end()) weight.name = renamed->new_name;
    stored.push_back(std::move(weight));
  }
  return tensors_of(matching_weights(joined.program, stored, {}));
}

/// Null if unknown fields of a newer schema can be kept.
const char* why_not_slimmed(const SlimOptions& options, const ProgramFile& in) {
  if (!can_keep_unknown(options)) return "pt2 cannot tell which values it uses";
  return in.binary_file() == nullptr
             ? nullptr
             : "savings are measured in bytes of JSON, and the field's size in JSON is also unknown";
}

bool has_samples(const Archive* archive, const std::optional<std::string>& model) {
  if (archive == nullptr) return false;
  const ZipMember* const inputs = find_sample_inputs(*archive, find_model(*archive, model));
  return inputs != nullptr && inputs->size != 0;
}

}  // namespace

Retyped retarget_file(const FileSource& source, const DtypeChange& change, const SaveTarget& target) {
  const FileFormat format = require_target(source.file, target);
  Retyped done;
  if (format == FileFormat::archive) {
    target.write(
        [&](const ByteSink& sink) { done = retarget_archive(source.file, change, source.model, sink); });
  } else {
    LoadOptions loading;
    loading.model = source.model;
    LoadedProgram loaded = load_to_write(source.file, loading, format, source.notify);
    done = retarget(loaded.program, change);
    save_program(loaded, target);
  }
  if (done.drops_samples) source.notify("note: sample inputs were dropped, because they cannot be converted");
  if (!done.left.empty()) {
    source.notify("note: nodes kept their dtypes: " +
                  schemagen::quoted_list({done.left.begin(), done.left.end()}));
  }
  return done;
}

JoinedProgram join_files(const FileSource& first, const FileSource& second,
                         const std::optional<std::vector<Connection>>& connections,
                         const SaveTarget& target) {
  const char* const why = "pt2 does not know how to join it";
  for (const FileSource* const source : {&first, &second}) require_target(source->file, target);
  const ExportedProgram a = load_to_write(first.file, {}, FileFormat::json, first.notify, why).program;
  const ExportedProgram b = load_to_write(second.file, {}, FileFormat::json, second.notify, why).program;
  JoinedProgram joined = join(a, b, connections ? *connections : connections_in_order(a, b));
  SaveOptions options;
  std::vector<NamedTensor> tensors;
  if (target.format() == FileFormat::archive) {
    tensors = joined_tensors(first.file, second.file, joined);
    options.tensors = &tensors;
  }
  save_program(joined.program, target, options);
  return joined;
}

ExportedProgram extract_file(const FileSource& source, const std::vector<std::string>& inputs,
                             const std::vector<std::string>& outputs, const OperatorSet& operators,
                             const SaveTarget& target) {
  const EditedModel edited = model_to_edit(source, target, "pt2 cannot tell whether the part needs it");
  ExportedProgram part = extract(edited.loaded.program, inputs, outputs, operators);
  save_program(part, target, {&source.file, source.model, SaveWeights::used});
  return part;
}

std::vector<SlimSaving> slim_file(const FileSource& source, SlimOptions options, const SaveTarget& target) {
  const FileFormat format = require_target(source.file, target);
  options.model = source.model;
  LoadOptions loading;
  const char* const why = why_not_slimmed(options, source.file);
  const Archive* const archive = source.file.archive();
  const std::string compiled = archive == nullptr ? "" : compiled_package_text(*archive);
  if (!compiled.empty()) {
    source.notify("note: " + schemagen::printable(compiled) +
                  " has no exported program to slim; it is copied");
  }
  std::vector<SlimSaving> savings;
  if (format != FileFormat::archive) {
    loading.model = source.model;
    LoadedProgram loaded = load_to_write(source.file, loading, format, source.notify, why);
    savings = slim(loaded, options);
    save_program(loaded, target, {&source.file});
    return savings;
  }
  try {
    target.write([&](const ByteSink& sink) { savings = slim_archive(source.file, options, sink); });
  } catch (const schemagen::DataError&) {
    for (const ArchivedModel& model : archive->models) {
      if (options.model && *options.model != model.name) continue;
      loading.model = model.name;
      load_to_write(source.file, loading, format, source.notify, why);  // its error says more
    }
    throw;
  }
  return savings;
}

PlainTrees convert_file(const FileSource& source, const ConvertOptions& options, const SaveTarget& target) {
  const bool is_archive = target.format() == FileFormat::archive;
  LoadOptions loading = options.loading;
  loading.model = source.model;
  if (options.into == nullptr) {
    require_target(source.file, target);
  } else if (source.file.archive() == nullptr) {
    loading.model.reset();  // selects a model of the other archive
  }
  LoadedProgram loaded = load_to_write(source.file, loading, *target.format(), source.notify);
  PlainTrees trees;
  if (options.plain_tree) trees = make_trees_plain(loaded.program);
  const ProgramFile& copied = options.into != nullptr ? *options.into : source.file;
  // They need the classes.
  const bool drops_samples =
      is_archive && trees.changes_call() && has_samples(copied.archive(), source.model);
  if (options.into != nullptr) {
    loaded.source.model = source.model.value_or("");
    save_into(copied, loaded, target, {}, drops_samples);
  } else {
    SaveOptions saving{is_archive ? &copied : nullptr, source.model, SaveWeights::raw,
                       source.model.has_value()};
    saving.drop_samples = drops_samples;
    saving.json = options.json;
    saving.binary = options.binary;
    save_program(loaded, target, saving);
  }
  if (drops_samples)
    source.notify("note: sample inputs were dropped, because they contain what was replaced");
  return trees;
}

}  // namespace pt2
