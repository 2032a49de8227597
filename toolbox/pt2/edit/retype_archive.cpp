#include "pt2/edit/retype.h"

#include "pt2/archive/archive.h"
#include "pt2/archive/archive_rewrite.h"
#include "pt2/archive/tensors/model_writer.h"
#include "pt2/archive/tensors/payloads.h"
#include "pt2/archive/tensors/tensor_files.h"
#include "pt2/edit/inner_tensors.h"
#include "pt2/edit/kept_names.h"
#include "pt2/graph/signature.h"
#include "pt2/json.h"
#include "pt2/program.h"
#include "pt2/text/affix.h"
#include "pt2/text/type_names.h"

namespace pt2 {
namespace {

class RetypedArchive {
 public:
  RetypedArchive(const ProgramFile& file, const DtypeChange& change, const std::optional<std::string>& model)
      : archive_(*file.archive()),
        limits_(file.limits()),
        to_(change.to),
        kept_(change.keep),
        model_(find_model(archive_, model)) {
    LoadOptions loading;
    loading.model = model_.name;
    loading.newer_fields = schemagen::UnknownFields::keep;
    LoadedProgram loaded = load_program(file, loading);
    ExportedProgram& program = loaded.program;
    weights_ =
        take_apart(program, weights_of(archive_, model_.name, program.graph_module.signature, limits_));
    done_ = retarget(program, change);
    for (const std::string& name : done_.weights) converted_.try_emplace(name);
    choose_storages(program.graph_module.signature);
    schemagen::JsonWriteOptions writing;
    writing.preserved = &loaded.unknown_fields;
    texts_[archive_.zip.find(model_.member)] = schemagen::to_json(program, writing);
    retype_tables();
    retype_samples();
  }

  Retyped write(const ByteSink& out) {
    ZipWriter zip(out);
    for (const ZipMember& member : archive_.zip.members()) {
      if (!replace_member(member, zip)) copy_member(archive_.zip, member, member.name, zip);
    }
    zip.finish();
    return std::move(done_);
  }

 private:
  using Group = std::vector<const Weight*>;

  void choose_storages(const GraphSignature& signature) {
    const ExportGraphSignature known(signature);
    std::map<std::pair<std::string, const Storage*>, Group> groups;
    for (const Weight& weight : weights_) {
      if (weight.tensor) groups[{weight.record, weight.tensor->storage.get()}].push_back(&weight);
      if (weight.tensor && weight.pickled) pickled_[weight.name] = &weight;
    }
    for (const auto& [place, group] : groups) {
      if (!converts(group, known)) continue;
      const Weight& first = *group.front();
      const ZipMember* const member = first.pickled ? nullptr : find_record(archive_, first.record);
      if (member != nullptr) records_[member][std::string(member->name)] = {&first, true};
      for (const Weight* const weight : group) converted_.try_emplace(weight->name);
    }
    require_own_storages();
  }

  /// Decided by the one name per tensor that the program knows.
  bool converts(const Group& group, const ExportGraphSignature& known) {
    const Weight* changed = nullptr;
    const Weight* kept = nullptr;
    for (const Weight* const weight : group) {
      if (known.input_of_target(weight->name) == nullptr) continue;
      (converted_.contains(weight->name) ? changed : kept) = weight;
    }
    if (changed == nullptr && kept == nullptr) {
      const Weight& first = *group.front();
      const ScalarType dtype = first.tensor->layout.dtype;
      if (is_convertible(dtype) && dtype != to_ && !kept_.has_path(first.name)) changed = &first;
    }
    if (changed == nullptr) return false;
    for (const Weight* const weight : group) {
      if (weight->tensor->layout.dtype != changed->tensor->layout.dtype) kept = weight;
    }
    if (kept == nullptr) return true;
    throw schemagen::UsageError("the weights " + schemagen::quoted(changed->name) + " and " +
                                schemagen::quoted(kept->name) +
                                " share a storage, but only one is kept: keep both");
  }

  void require_own_storages() const {
    for (const ArchivedModel& other : archive_.models) {
      if (other.name == model_.name) continue;
      for (const PayloadTable& table : payload_tables(archive_, other.name, limits_)) {
        for (const auto& [name, payload] : table.config.config) {
          if (records_.count(find_record(archive_, table.folder + payload.path_name)) == 0) continue;
          throw schemagen::UsageError("the weight " + schemagen::quoted(name) + " of the model " +
                                      schemagen::quoted(other.name) + " shares its bytes with the model " +
                                      schemagen::quoted(model_.name) + ": keep it");
        }
      }
    }
  }

  /// Returns the tensors of the weight `name`, which is pickled in `record`.
  std::vector<const Weight*> pickled_in(const std::string& name, std::string_view record) const {
    std::vector<const Weight*> tensors;
    const auto add = [&](const Weight* weight) {
      if (weight->record == record) tensors.push_back(weight);
    };
    if (const auto only = pickled_.find(name); only != pickled_.end()) add(only->second);
    const std::string inner = name + ".";
    for (auto at = pickled_.lower_bound(inner); at != pickled_.end() && starts_with(at->first, inner); ++at)
      add(at->second);
    return tensors;
  }

  void retype_tables() {
    for (PayloadTable& table : payload_tables(archive_, model_.name, limits_)) {
      PayloadConfig config;
      for (auto& [name, payload] : table.config.config) {
        const std::string whole = table.folder + payload.path_name;
        const std::vector<const Weight*> tensors = pickled_in(name, whole);
        for (const Weight* const weight : tensors) {
          const std::string suffix = weight->name.substr(name.size());
          config.config[weight->name] = payload_of(*weight, payload.path_name + suffix);
          records_[find_record(archive_, whole)][archive_.top_folder + "/" + whole + suffix] = {
              weight, converted_.contains(weight->name)};
        }
        if (tensors.empty()) config.config[name] = std::move(payload);
      }
      for (auto& [name, payload] : config.config) {
        if (converted_.contains(name) && payload.tensor_meta) payload.tensor_meta->dtype = to_;
      }
      texts_[find_record(archive_, table.record)] = schemagen::to_json(config);
    }
  }

  /// Keeps no samples that need the code of their classes. torch reads an empty record as no samples.
  void retype_samples() {
    const ZipMember* const member = find_sample_inputs(archive_, model_);
    if (member == nullptr || member->size == 0) return;
    std::string& text = texts_[member];
    try {
      PickledTensors samples(archive_.zip, *member, limits_);
      const std::vector<bool>& keeps = done_.keeps_input;
      const bool has_kept = std::count(keeps.begin(), keeps.end(), true) != 0;
      if (has_kept && tensor_count(samples.pickle()) != keeps.size())
        throw schemagen::DataError("duplicate tensor");
      const ChangeTensor change = [&](const Tensor& tensor, std::size_t number) {
        const bool is_kept = has_kept && keeps[number];
        return is_kept || !is_convertible(tensor.layout.dtype) ? tensor : convert(tensor, to_);
      };
      write_torch_file(
          samples, limits_, [&](std::string_view part) { text += part; }, change);
    } catch (const schemagen::DataError&) {
      text.clear();
      done_.drops_samples = true;
    }
  }

  static std::size_t tensor_count(const Pickle& pickle) {
    return static_cast<std::size_t>(
        std::count_if(pickle.values.begin(), pickle.values.end(),
                      [](const PickleValue& value) { return value.kind == PickleKind::tensor; }));
  }

  bool replace_member(const ZipMember& member, ZipWriter& zip) const {
    const auto text = texts_.find(&member);
    if (text != texts_.end()) return zip.add(member.name, text->second), true;
    const auto found = records_.find(&member);
    if (found == records_.end()) return false;
    const auto bytes_of = [](ScalarType dtype) { return static_cast<std::uint64_t>(*element_bytes(dtype)); };
    for (const auto& [name, record] : found->second) {
      const Storage& storage = *record.weight->tensor->storage;
      const ScalarType from = record.weight->tensor->layout.dtype;
      const bool converts = record.converts;
      const std::uint64_t size = converts ? storage.size() / bytes_of(from) * bytes_of(to_) : storage.size();
      zip.add(name, size, [&](const ByteSink& sink) {
        converts ? copy_converted(storage, from, to_, sink) : storage.copy(sink);
      });
    }
    return true;
  }

  struct NewRecord {
    const Weight* weight;  // has the record's storage
    bool converts;
  };

  const Archive& archive_;
  const schemagen::Limits& limits_;
  const ScalarType to_;
  KeptNames kept_;
  const ArchivedModel& model_;
  Retyped done_;
  schemagen::Map<bool> converted_;
  std::vector<Weight> weights_;
  std::map<std::string_view, const Weight*> pickled_;                     // by name
  std::map<const ZipMember*, std::map<std::string, NewRecord>> records_;  // what replaces a member, by name
  std::map<const ZipMember*, std::string> texts_;
};

}  // namespace

Retyped retarget_archive(const ProgramFile& file, const DtypeChange& change,
                         const std::optional<std::string>& model, const ByteSink& out) {
  if (file.archive() == nullptr) throw schemagen::UsageError("the file is not an archive");
  require_raw_weights(*file.archive());
  if (file.archive()->byte_order == ByteOrder::big)
    throw schemagen::DataError("the archive is big-endian: its weights cannot be converted");
  return RetypedArchive(file, change, model).write(out);
}

}  // namespace pt2
