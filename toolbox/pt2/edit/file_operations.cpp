#include "pt2/edit/file_operations.h"

#include "pt2/archive/contents.h"
#include "pt2/archive/tensors/payloads.h"
#include "pt2/edit/matching_weights.h"
#include "pt2/edit/port_calls.h"
#include "pt2/edit/save_into.h"
#include "pt2/json.h"
#include "pt2/stats/stats.h"
#include "pt2/text/join.h"
#include "pt2/text/literal.h"
#include "pt2/versions/version.h"
#include "pt2/weights.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

struct EditedModel {
  LoadedProgram loaded;
  std::vector<PayloadTable> tables = {};  // empty unless the target is an archive
  std::vector<std::string> empty_records = {};
};

/// Throws UsageError unless the target has a format that can be written from `file`.
FileFormat require_target(const ProgramFile& file, const SaveTarget& target) {
  if (!target.format()) target.cannot_write("the name must end in .json, .pt2b or .pt2");
  if (target.format() == FileFormat::archive && file.archive() == nullptr)
    target.cannot_write("an archive needs weights, but IN is not an archive");
  return *target.format();
}

LoadedProgram load_model(const FileSource& source, FileFormat format, const char* why_refused = nullptr,
                         LoadOptions options = {}) {
  options.model = source.model;
  return load_to_write(source.file, options, format, source.notify, why_refused);
}

using Models = std::vector<std::optional<std::string>>;

/// Functions that keep all lists and the positions of their items preserve unknown fields of a newer schema;
/// others give a reason not to. `models` are changed together in an archive.
std::vector<EditedModel> models_to_edit(const FileSource& source, const SaveTarget& target,
                                        const Models& models, const char* why_refused = nullptr) {
  const FileFormat format = require_target(source.file, target);
  const bool is_archive = format == FileFormat::archive;
  std::vector<EditedModel> edited;
  for (const std::optional<std::string>& model : is_archive ? models : Models{source.model}) {
    LoadedProgram loaded = load_model({source.file, model, source.notify}, format, why_refused);
    EditedModel& each = edited.emplace_back(EditedModel{std::move(loaded)});
    if (is_archive)
      each.tables = payload_tables(*source.file.archive(), each.loaded.source.model, source.file.limits());
  }
  return edited;
}

/// `edited` are different models of the file.
void write_edited(const ProgramFile& file, const std::vector<EditedModel>& edited, const SaveTarget& target) {
  const bool has_tables =
      std::any_of(edited.begin(), edited.end(), [](const EditedModel& each) { return !each.tables.empty(); });
  if (!has_tables && edited.size() == 1) return save_program(edited.front().loaded, target, {&file});
  const Archive& archive = *file.archive();
  std::vector<NewMember> members;
  for (const EditedModel& each : edited) {
    schemagen::JsonWriteOptions writing;
    writing.preserved = &each.loaded.unknown_fields;
    for (NewMember& member :
         model_members(archive, find_model(archive, each.loaded.source.model), each.loaded.program, writing))
      members.push_back(std::move(member));
    for (const PayloadTable& table : each.tables)
      members.push_back(
          {std::string(find_record(archive, table.record)->name), schemagen::to_json(table.config)});
    for (const std::string& record : each.empty_records)
      members.push_back({archive.top_folder + "/" + record, ""});
  }
  target.write([&](const ByteSink& sink) { rewrite_archive(archive, members, sink); });
}

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

bool is_on_meta(const PayloadMeta& payload) {
  return payload.tensor_meta && payload.tensor_meta->device.type == "meta";
}

/// On meta, torch gives all tensors the same empty record: their storages are all at address 0
/// (group_weights() in torch/export/pt2_archive/_package_weights.py). Elsewhere, they need separate records.
/// Adds the names of new records to `empty_records` and to `made`, which contains the new records of all
/// models.
std::size_t retarget_table(const Archive& archive, const DeviceChange& change, PayloadTable& table,
                           std::set<std::string>& made, std::vector<std::string>& empty_records) {
  std::map<std::string, std::size_t> users;
  std::vector<PayloadMeta*> on_meta;
  for (auto& [name, payload] : table.config.config) {
    ++users[payload.path_name];
    const ZipMember* const record = find_record(archive, table.folder + payload.path_name);
    if (!payload.use_pickle && is_on_meta(payload) && record != nullptr && record->size == 0)
      on_meta.push_back(&payload);
  }
  const std::size_t changed = retarget(table.config, change);
  std::size_t number = 0;
  for (PayloadMeta* const payload : on_meta) {
    std::size_t& sharing = users[payload->path_name];
    if (is_on_meta(*payload) || sharing == 1) continue;
    --sharing;
    const std::string prefix =
        payload->path_name.substr(0, payload->path_name.find_last_not_of("0123456789") + 1);
    do {
      payload->path_name = prefix + std::to_string(number++);
    } while (find_record(archive, table.folder + payload->path_name) != nullptr ||
             !made.insert(table.folder + payload->path_name).second);
    users[payload->path_name] = 1;
    empty_records.push_back(table.folder + payload->path_name);
  }
  return changed;
}

void rename_weights(EditedModel& edited, const std::vector<NameChange>& changes) {
  if (changes.empty()) return;
  if (edited.tables.empty()) {
    throw schemagen::UsageError(
        "the weights are pickled; convert the archive with 'pt2 convert' first, or write only the program, "
        "as .json or .pt2b");
  }
  for (PayloadTable& table : edited.tables) {
    schemagen::Map<PayloadMeta> renamed;
    for (auto& [name, payload] : table.config.config) {
      std::string new_name = name;
      for (const NameChange& change : changes) {
        if (change.old_name == name) new_name = change.new_name;
      }
      renamed.insert(new_name, std::move(payload));
    }
    table.config.config = std::move(renamed);
  }
}

void notify_of_call(const CallChange& call, const std::string& level, const NoticeSink& notify) {
  notify((call.is_done ? "note" : level) + ": " + schemagen::shortened(schemagen::printable(call.path)) +
         ": " + schemagen::printable(call.what));
}

void notify_of_missing_operators(const ExportedProgram& program, const std::string& release,
                                 const NoticeSink& notify) {
  for (const OperatorUse& use : operator_report(program, supported_by_torch(release))) {
    const bool is_gone =
        find_operator(use.target) != nullptr && find_operator(use.target, release) == nullptr;
    if (!is_gone) continue;
    notify("warning: torch " + release + " lacks the operator " + schemagen::printable(use.target) + ": it " +
           use.missing);
  }
}

void port(LoadedProgram& loaded, const NoticeSink& notify) {
  const std::string from = release_of(loaded.program, loaded.upgraded_from);
  const std::string to(operator_releases().schemas);
  if (!is_earlier_release(from, to)) return;
  for (CallChange& call : port_calls(loaded.program, from, to)) {
    if (call.is_done) {
      const SchemaVersion step = loaded.upgraded_from.value_or(loaded.program.schema_version);
      loaded.changes.push_back({step, std::move(call.path), std::move(call.what)});
    } else {
      notify_of_call(call, "warning", notify);
    }
  }
  notify_of_missing_operators(loaded.program, to, notify);
}

/// Old zips could only pickle constants, so these need a PT2 archive. torch never wrote several programs
/// then: DataError.
bool is_moved(const std::vector<EditedModel>& models) {
  for (const EditedModel& each : models) {
    const LoadedProgram& loaded = each.loaded;
    if (loaded.constants.empty()) continue;
    if (models.size() == 1) return true;
    throw schemagen::DataError("the model " + schemagen::quoted(loaded.source.model) +
                               " contains constants and must be upgraded separately; choose it with --model");
  }
  return false;
}

void write_archive_for(const SchemaVersion& to, const FileSource& source,
                       const std::vector<EditedModel>& edited, std::vector<std::string> documents,
                       const SaveTarget& target) {
  const schemagen::Limits& limits = source.file.limits();
  const Archive archive =
      source.model ? only_model(*source.file.archive(), *source.model, limits) : *source.file.archive();
  if (archive.container == Container::pt2_archive && !has_pt2_archives(to)) {
    return target.write([&](const ByteSink& sink) {
      write_old_zip(archive, documents.front(), version_text(to), sink, limits);
    });
  }
  if (!edited.front().tables.empty() && !has_raw_weights(to)) {
    const std::string& name = edited.front().loaded.source.model;
    return target.write(
        [&](const ByteSink& sink) { write_pickled_archive(archive, name, documents.front(), sink, limits); });
  }
  std::vector<NewMember> members = version_members(archive, to);
  for (std::size_t i = 0; i < edited.size(); ++i)
    members.push_back({find_model(archive, edited[i].loaded.source.model).member, std::move(documents[i])});
  target.write([&](const ByteSink& sink) { rewrite_archive(archive, members, sink); });
}

/// Older torch lacks these conditions on inputs.
constexpr std::string_view kGuards = "ExportedProgram.guards_code";

void notify_of_lost(const DowngradedDocument& document, const SchemaVersion& to, const NoticeSink& notify) {
  for (const DroppedField& field : document.dropped) {
    notify((field.name == kGuards ? "warning: " : "note: ") + schemagen::counted(field.count, "value") +
           " of " + field.name + " dropped: schema " + version_text(to) + " lacks the field" +
           (field.name == kGuards ? ", so torch will not check the inputs of calls" : ""));
  }
}

}  // namespace

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

Retyped retarget_file(const FileSource& source, const DtypeChange& change, const SaveTarget& target) {
  const FileFormat format = require_target(source.file, target);
  Retyped done;
  if (format == FileFormat::archive) {
    target.write(
        [&](const ByteSink& sink) { done = retarget_archive(source.file, change, source.model, sink); });
  } else {
    LoadedProgram loaded = load_model(source, format);
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
  const char* const why = "pt2 cannot tell whether the part needs it";
  const LoadedProgram loaded = load_model(source, require_target(source.file, target), why);
  ExportedProgram part = extract(loaded.program, inputs, outputs, operators);
  save_program(part, target, {&source.file, source.model, SaveWeights::used});
  return part;
}

std::vector<SlimSaving> slim_file(const FileSource& source, SlimOptions options, const SaveTarget& target) {
  const FileFormat format = require_target(source.file, target);
  options.model = source.model;
  const char* const why = why_not_slimmed(options, source.file);
  const Archive* const archive = source.file.archive();
  const std::string compiled = archive == nullptr ? "" : compiled_package_text(*archive);
  if (!compiled.empty()) {
    source.notify("note: " + schemagen::printable(compiled) +
                  " has no exported program to slim; it is copied");
  }
  std::vector<SlimSaving> savings;
  if (format != FileFormat::archive) {
    LoadedProgram loaded = load_model(source, format, why);
    savings = slim(loaded, options);
    save_program(loaded, target, {&source.file});
    return savings;
  }
  try {
    target.write([&](const ByteSink& sink) { savings = slim_archive(source.file, options, sink); });
  } catch (const schemagen::DataError&) {
    for (const ArchivedModel& model : archive->models) {
      if (options.model && *options.model != model.name) continue;
      load_model({source.file, model.name, source.notify}, format, why);  // its error says more
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

std::size_t retarget_file(const FileSource& source, const DeviceChange& change, const SaveTarget& target) {
  std::vector<EditedModel> edited = models_to_edit(source, target, models_of(source.file, source.model));
  std::size_t changed = 0;
  std::set<std::string> made;
  for (EditedModel& each : edited) {
    changed += retarget(each.loaded.program, change);
    for (PayloadTable& table : each.tables)
      changed += retarget_table(*source.file.archive(), change, table, made, each.empty_records);
  }
  write_edited(source.file, edited, target);
  return changed;
}

std::vector<NameChange> rename_file(const FileSource& source, const std::vector<NameChange>& changes,
                                    const SaveTarget& target) {
  std::vector<EditedModel> edited = models_to_edit(source, target, {source.model});
  EditedModel& only = edited.front();
  std::vector<std::string> weights;
  for (const PayloadTable& table : only.tables) {
    for (const auto& [name, payload] : table.config.config) weights.push_back(name);
  }
  std::vector<NameChange> of_weights = rename(only.loaded, changes, weights);
  if (target.format() == FileFormat::archive) rename_weights(only, of_weights);
  write_edited(source.file, edited, target);
  return of_weights;
}

UpgradedFile upgrade_file(const FileSource& source, const SaveTarget* target, bool report_changes) {
  const Archive* const archive = source.file.archive();
  FileFormat format = archive != nullptr ? FileFormat::archive : FileFormat::json;
  if (target != nullptr) format = require_target(source.file, *target);
  LoadOptions options;
  options.upgrading = Upgrading::all;
  options.upgrade.report_changes = report_changes;
  std::vector<EditedModel> edited;
  UpgradedFile upgraded;
  for (const std::optional<std::string>& model :
       format == FileFormat::archive ? models_of(source.file, source.model) : Models{source.model}) {
    edited.push_back({load_model({source.file, model, source.notify}, FileFormat::json, nullptr, options)});
    LoadedProgram& loaded = edited.back().loaded;
    port(loaded, source.notify);
    for (const UpgradeChange& change : loaded.changes)
      upgraded.changes.push_back({loaded.source.model, change});
  }
  upgraded.programs = edited.size();
  upgraded.is_moved = is_moved(edited);
  if (format == FileFormat::archive && !upgraded.is_moved)
    upgraded.members = version_members(*archive, edited.front().loaded.program.schema_version);
  if (target != nullptr) write_edited(source.file, edited, *target);
  return upgraded;
}

std::string downgrade_program(ExportedProgram& program, const ReleaseTarget& to,
                              std::vector<std::string>& refused, const NoticeSink& notify) {
  const std::size_t before = refused.size();
  const std::string release = to.release();
  for (const CallChange& call : port_calls(program, release_of(program), release)) {
    notify_of_call(call, "error", notify);
    if (!call.is_done) refused.push_back(call.path + ": " + call.what);
  }
  DowngradedDocument document =
      downgrade_document(schemagen::JsonDocument(schemagen::to_json(program), {}), to.schema);
  const std::string version = version_text(to.schema);
  for (const UnsupportedValue& value : document.unsupported) {
    notify("error: " + printable(value.path) + ": " + printable(value.what) + " in " + version);
    refused.push_back(value.path + ": " + value.what + " in " + version);
  }
  if (document.unsupported.empty()) notify_of_lost(document, to.schema, notify);
  if (refused.size() == before) notify_of_missing_operators(program, release, notify);
  return std::move(document.text);
}

std::vector<std::string> downgrade_file(const FileSource& source, const ReleaseTarget& to,
                                        const SaveTarget& target) {
  if (target.format() == FileFormat::pt2b) require_current_major(to);
  const Models models =
      has_raw_weights(to.schema) ? models_of(source.file, source.model) : Models{source.model};
  std::vector<EditedModel> edited = models_to_edit(source, target, models, "older schemas also lack it");
  std::vector<std::string> refused;
  std::vector<std::string> documents;
  for (EditedModel& each : edited) {
    const std::string where =
        edited.size() > 1 ? "model " + string_literal(each.loaded.source.model) + ": " : "";
    const NoticeSink notify = [&](const std::string& notice) { source.notify(where + notice); };
    documents.push_back(downgrade_program(each.loaded.program, to, refused, notify));
  }
  if (!refused.empty()) return refused;
  if (target.format() == FileFormat::archive) {
    write_archive_for(to.schema, source, edited, std::move(documents), target);
  } else {
    const std::string bytes =
        target.format() == FileFormat::json
            ? std::move(documents.front())
            : to_pt2b(schemagen::from_json<ExportedProgram>(documents.front()), default_binary_options());
    target.write([&](const ByteSink& sink) { sink(bytes); });
  }
  return refused;
}

void require_none_refused(const std::vector<std::string>& refused) {
  if (!refused.empty()) throw schemagen::DataError(join_texts(refused, "; "));
}

}  // namespace pt2
