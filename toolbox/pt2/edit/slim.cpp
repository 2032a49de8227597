#include "pt2/edit/slim.h"

#include <set>

#include "pt2/archive/archive.h"
#include "pt2/archive/archive_writer.h"
#include "pt2/archive/contents.h"
#include "pt2/archive/record_names.h"
#include "pt2/archive/tensors/payloads.h"
#include "pt2/archive/tensors/weights.h"
#include "pt2/canonical/canonical.h"
#include "pt2/canonical/map_order.h"
#include "pt2/edit/placement.h"
#include "pt2/graph/index.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "pt2/text/affix.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

bool has_part(const SlimOptions& options, SlimPart part) {
  return std::find(options.parts.begin(), options.parts.end(), part) != options.parts.end();
}

using Savings = std::map<SlimPart, std::uint64_t>;

struct SlimProgram {
  std::string json;
  std::vector<std::string> unused;
};

std::vector<std::string> drop_unused(ExportedProgram& program) {
  GraphModule& module = program.graph_module;
  std::vector<InputSpec>& specs = module.signature.input_specs;
  std::vector<Argument>& inputs = module.graph.inputs;
  const GraphIndex index(module.graph);
  const schemagen::Map<bool> of_modules = module_values(module);
  schemagen::Map<bool> changed;
  for (const OutputSpec& spec : module.signature.output_specs) {
    const auto parts = parts_of(spec);
    if (parts.target != nullptr && !parts.target_is_input) changed.try_emplace(*parts.target);
  }
  const auto is_unused = [&](const InputSpec& spec) {
    if (!tensor_kind(spec.kind())) return false;
    const auto parts = parts_of(spec);
    const std::uint32_t value = index.find(*parts.name);
    return value != GraphIndex::kNone && index.users(value).empty() && !of_modules.contains(*parts.name) &&
           !changed.contains(*parts.target);
  };
  schemagen::Map<bool> gone;
  std::vector<std::string> targets;
  std::vector<InputSpec> kept_specs;
  std::vector<Argument> kept_inputs;
  for (std::size_t i = 0; i < std::max(specs.size(), inputs.size()); ++i) {
    if (i < std::min(specs.size(), inputs.size()) && is_unused(specs[i])) {
      const auto parts = parts_of(std::as_const(specs[i]));
      gone.try_emplace(*parts.name);
      targets.push_back(*parts.target);
      continue;
    }
    if (i < specs.size()) kept_specs.push_back(std::move(specs[i]));
    if (i < inputs.size()) kept_inputs.push_back(inputs[i]);  // the index still refers to its name
  }
  specs = std::move(kept_specs);
  inputs = std::move(kept_inputs);
  remove_values(module.graph, gone);
  return targets;
}

template <class Visit>
void for_each_metadata(ExportedProgram& program, const Visit& visit) {
  for_each_graph(program.graph_module.graph, [&](Graph& graph) {
    for (Node& node : graph.nodes) visit(node.metadata);
  });
}

/// Readers ignore this order.
void sort_tables(ExportedProgram& program) {
  for_each_graph(program.graph_module.graph, [](Graph& graph) {
    for_each_table(graph, [](auto& table, ValueName::Table) { sort_by_key(table); });
  });
  for_each_metadata(program, [](auto& metadata) { sort_by_key(metadata); });
  sort_by_key(program.graph_module.metadata);
  sort_by_key(program.graph_module.treespec_namedtuple_fields);
  sort_by_key(program.opset_version);
  sort_by_key(program.range_constraints);
  std::sort(program.guards_code.begin(), program.guards_code.end());
}

SlimProgram slim_into(ExportedProgram& program, const std::vector<schemagen::UnknownField>& kept,
                      const SlimOptions& options, Savings& savings) {
  if (!kept.empty() && !can_keep_unknown(options)) {
    throw schemagen::DataError(
        "the unknown field may refer to values, so 'unused' and 'names' cannot be dropped",
        path_text(kept.front()));
  }
  schemagen::JsonWriteOptions writing;
  writing.preserved = &kept;
  SlimProgram slimmed;
  slimmed.json = schemagen::to_json(program, writing);
  for (const SlimPart part : kSlimParts) {
    if (!has_part(options, part)) continue;
    for (std::string& name : slim(program, part)) slimmed.unused.push_back(std::move(name));
    std::string json = schemagen::to_json(program, writing);
    savings[part] += slimmed.json.size() - std::min(json.size(), slimmed.json.size());
    slimmed.json = std::move(json);
  }
  if (options.reproducible) {
    sort_tables(program);
    slimmed.json = schemagen::to_json(program, writing);
  }
  return slimmed;
}

std::vector<SlimSaving> list_of(const Savings& savings) {
  std::vector<SlimSaving> list;
  for (const auto& [part, bytes] : savings) list.push_back({part, bytes});
  return list;
}

struct Model {
  std::string name;
  std::string record;
  std::optional<std::string> json;
  std::vector<PayloadTable> tables;
};

class SlimArchive {
 public:
  SlimArchive(const ProgramFile& file, const SlimOptions& options, const ByteSink& out)
      : archive_(*file.archive()),
        options_(options),
        out_(out, options.reproducible ? "archive" : archive_.top_folder) {
    for (const ArchivedModel& model : archive_.models) read_model(file, model);
    if (!options.reproducible) return;
    std::sort(models_.begin(), models_.end(), [](const Model& a, const Model& b) { return a.name < b.name; });
  }

  std::vector<SlimSaving> write() {
    count_unused_tensors();
    if (archive_.byte_order == ByteOrder::big) out_.add(record::kByteOrder, "big");
    options_.reproducible ? write_in_order() : write_as_it_was();
    out_.finish();
    return list_of(savings_);
  }

 private:
  void read_model(const ProgramFile& file, const ArchivedModel& archived) {
    Model& model = models_.emplace_back();
    model.name = archived.name;
    model.record = record_name(archive_, *archive_.zip.find(archived.member));
    model.tables = payload_tables(archive_, model.name, file.limits());
    for (const PayloadTable& table : model.tables) note_tensors(table, before_);
    if (!options_.model || *options_.model == model.name) slim_model(file, model);
    for (PayloadTable& table : model.tables) {
      note_tensors(table, after_);
      if (options_.reproducible) sort_by_key(table.config.config);
    }
  }

  void slim_model(const ProgramFile& file, Model& model) {
    LoadOptions loading;
    loading.model = model.name;
    if (can_keep_unknown(options_)) loading.newer_fields = schemagen::UnknownFields::keep;
    LoadedProgram loaded = load_program(file, loading);
    std::string why = why_unfinished(archive_, model.name, loaded.program.graph_module.signature);
    if (!why.empty()) throw schemagen::DataError(std::move(why));
    SlimProgram slimmed = slim_into(loaded.program, loaded.unknown_fields, options_, savings_);
    model.json = std::move(slimmed.json);
    if (!has_part(options_, SlimPart::unused)) return;
    for (PayloadTable& table : model.tables) {
      const std::size_t bytes = schemagen::to_json(table.config).size();
      for (const std::string& name : slimmed.unused) table.config.config.erase(name);
      savings_[SlimPart::unused] += bytes - schemagen::to_json(table.config).size();
    }
  }

  static void note_tensors(const PayloadTable& table, std::set<std::string>& records) {
    for (const auto& [name, payload] : table.config.config) records.insert(table.folder + payload.path_name);
  }

  void count_unused_tensors() {
    for (const std::string& record : before_) {
      if (after_.count(record) == 0) savings_[SlimPart::unused] += tensor_member(record).size;
    }
  }

  bool is_sample(std::string_view record) const {
    if (!starts_with(record, record::kSampleInputs) || !has_part(options_, SlimPart::samples)) return false;
    return !options_.model ||
           record == record::joined(record::kSampleInputs, *options_.model, record::kPickle);
  }

  /// torch reads an empty record as no samples.
  void write_record(const ZipMember& member, const std::string& record) {
    if (!is_sample(record)) return out_.copy(archive_.zip, member, record);
    savings_[SlimPart::samples] += member.size;
    out_.add(record, "");
  }

  void write_as_it_was() {
    std::map<std::string, std::string> changed;
    for (const Model& model : models_) {
      if (!model.json) continue;
      changed.emplace(model.record, *model.json);
      for (const PayloadTable& table : model.tables)
        changed.emplace(table.record, schemagen::to_json(table.config));
    }
    for (const ZipMember& member : archive_.zip.members()) {
      const std::string record(record_name(archive_, member));
      const bool is_gone = before_.count(record) != 0 && after_.count(record) == 0;
      if (record.empty() || ends_with(record, "/") || is_of_zip(record) || is_gone) continue;
      const auto found = changed.find(record);
      found == changed.end() ? write_record(member, record) : out_.add(record, found->second);
    }
  }

  void write_in_order() {
    std::set<std::string> done;
    for (const std::string_view folder : {record::kWeights, record::kConstants}) {
      std::map<std::string, std::string> names;
      for (Model& model : models_) {
        for (PayloadTable& table : model.tables) {
          if (table.folder == folder) write_table(table, names, done);
        }
      }
    }
    for (const Model& model : models_) {
      done.insert(model.record);
      model.json ? out_.add(model.record, *model.json)
                 : out_.copy(archive_.zip, *find_record(archive_, model.record), model.record);
    }
    std::map<std::string, const ZipMember*> others;
    for (const ZipMember& member : archive_.zip.members()) {
      const std::string record(record_name(archive_, member));
      const bool is_gone = before_.count(record) != 0 || done.count(record) != 0 || is_of_archive(record);
      if (!record.empty() && !ends_with(record, "/") && !is_gone) others.emplace(record, &member);
    }
    for (const auto& [record, member] : others) write_record(*member, record);
  }

  void write_table(PayloadTable& table, std::map<std::string, std::string>& names,
                   std::set<std::string>& done) {
    for (auto& [name, payload] : table.config.config) {
      const auto [file, is_new] = names.emplace(payload.path_name, "");
      if (is_new) {
        const std::string& old_name = file->first;
        file->second = new_name(table.folder, old_name);
        out_.copy(archive_.zip, tensor_member(table.folder + old_name), table.folder + file->second);
      }
      payload.path_name = file->second;
    }
    done.insert(table.record);
    out_.add(table.record, schemagen::to_json(table.config));
  }

  std::string new_name(const std::string& folder, const std::string& old_name) {
    const std::string prefix = old_name.substr(0, old_name.find_last_not_of("0123456789") + 1);
    std::size_t& number = numbers_[folder + prefix];
    std::string name;
    do {
      name = prefix + std::to_string(number++);
    } while (find_record(archive_, folder + name) != nullptr && before_.count(folder + name) == 0);
    return name;
  }

  const ZipMember& tensor_member(const std::string& record) const {
    const ZipMember* const member = find_record(archive_, record);
    if (member != nullptr) return *member;
    throw schemagen::DataError("a weights config names the record " + schemagen::quoted(record) +
                               ", which is missing");
  }

  const Archive& archive_;
  const SlimOptions& options_;
  ArchiveWriter out_;
  std::vector<Model> models_;
  std::set<std::string> before_;
  std::set<std::string> after_;
  std::map<std::string, std::size_t> numbers_;
  Savings savings_;
};

}  // namespace

std::string_view name_of(SlimPart part) {
  constexpr std::string_view kNames[] = {"stack-traces", "metadata", "samples", "unused", "names"};
  return kNames[static_cast<std::size_t>(part)];
}

SlimPart slim_part_named(std::string_view name) {
  std::string known;
  for (const SlimPart part : kSlimParts) {
    if (name == name_of(part)) return part;
    known += (known.empty() ? "" : ", ") + std::string(name_of(part));
  }
  throw schemagen::UsageError("unknown part " + schemagen::quoted(name) + ", expected one of " + known);
}

std::vector<std::string> slim(ExportedProgram& program, SlimPart part) {
  switch (part) {
    case SlimPart::stack_traces:
      for_each_metadata(program, [](auto& metadata) { metadata.erase("stack_trace"); });
      break;
    case SlimPart::metadata:
      for_each_metadata(program, [](auto& metadata) { metadata.clear(); });
      break;
    case SlimPart::samples:
      break;
    case SlimPart::unused:
      return drop_unused(program);
    case SlimPart::names:
      program = canonicalize(std::move(program), CanonicalForm::names, Provenance::keep);
      break;
  }
  return {};
}

bool can_keep_unknown(const SlimOptions& options) {
  return !has_part(options, SlimPart::unused) && !has_part(options, SlimPart::names);
}

std::vector<SlimSaving> slim(LoadedProgram& loaded, const SlimOptions& options) {
  Savings savings;
  slim_into(loaded.program, loaded.unknown_fields, options, savings);
  return list_of(savings);
}

std::vector<SlimSaving> slim_archive(const ProgramFile& file, const SlimOptions& options,
                                     const ByteSink& out) {
  if (file.archive() == nullptr) throw schemagen::UsageError("the file is not an archive");
  if (options.model) find_model(*file.archive(), options.model);
  require_raw_weights(*file.archive());
  return SlimArchive(file, options, out).write();
}

}  // namespace pt2
