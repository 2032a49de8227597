#include "pt2/edit/save_into.h"

#include "pt2/archive/archive_writer.h"
#include "pt2/archive/contents.h"
#include "pt2/archive/tensors/payloads.h"
#include "pt2/edit/matching_weights.h"
#include "pt2/graph/signature.h"
#include "pt2/json.h"
#include "pt2/visit.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

std::string text_without_name(InputSpec spec) {
  const auto parts = parts_of(spec);
  if (parts.name != nullptr) parts.name->clear();
  return schemagen::to_json(spec);
}

std::vector<std::string> user_inputs_of(const ExportedProgram& program) {
  std::vector<std::string> inputs;
  for (const InputSpec& spec : program.graph_module.signature.input_specs) {
    if (!is_users(spec.kind())) continue;
    const auto parts = parts_of(spec);
    const TensorMeta* const meta =
        parts.name == nullptr ? nullptr : program.graph_module.graph.tensor_values.find(*parts.name);
    std::string text = meta == nullptr ? text_without_name(spec)
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

bool are_as_stored(const std::vector<Weight>& weights, const std::vector<Weight>& stored) {
  if (weights.size() != stored.size()) return false;
  schemagen::Map<const Weight*> by_name;
  for (const Weight& weight : stored) by_name.insert(weight.name, &weight);
  return std::all_of(weights.begin(), weights.end(), [&](const Weight& weight) {
    const Weight& old = **by_name.find(weight.name);
    return !weight.tensor || !old.tensor || weight.tensor->device.type == old.tensor->device.type;
  });
}

void add_constants(std::vector<Weight>& weights, const std::vector<NamedTensor>& constants) {
  for (const NamedTensor& constant : constants) {
    if (std::any_of(weights.begin(), weights.end(),
                    [&](const Weight& weight) { return weight.name == constant.name; })) {
      throw schemagen::DataError("duplicate tensor " + schemagen::quoted(constant.name));
    }
  }
  append_constants(weights, constants, "");
}

/// Appends the stored weights that neither program names. They stay tied to weights, and move to their
/// device.
void append_unnamed(std::vector<Weight>& weights, const std::vector<Weight>& stored,
                    const GraphSignature& old) {
  const ExportGraphSignature named(old);
  schemagen::Map<std::size_t> places;
  for (const Weight& weight : weights) places.insert(weight.name, places.size());
  std::map<const Storage*, std::vector<std::pair<const TensorLayout*, std::size_t>>> known;
  std::map<std::string, Device> devices;
  for (const Weight& weight : stored) {
    const std::size_t* const place = places.find(weight.name);
    if (place == nullptr || !weight.tensor || !weights[*place].tensor) continue;
    known[weight.tensor->storage.get()].emplace_back(&weight.tensor->layout, *place);
    devices.emplace(weight.tensor->device.type, weights[*place].tensor->device);
  }
  for (const Weight& weight : stored) {
    if (places.contains(weight.name) || named.input_of_target(weight.name) != nullptr) continue;
    Weight& kept = weights.emplace_back(weight);
    if (!weight.tensor) continue;
    const auto device = devices.find(weight.tensor->device.type);
    if (device != devices.end() && !weight.tensor->is_on_meta()) kept.tensor->device = device->second;
    for (const auto& [layout, place] : known[weight.tensor->storage.get()]) {
      if (*layout == weight.tensor->layout) kept.tensor = weights[place].tensor;
    }
  }
}

void copy_others(const Archive& archive, const ArchivedModel& model, ArchiveWriter& out,
                 const schemagen::Limits& limits) {
  std::set<std::string> own = records_of(archive, model, limits);
  for (const ArchivedModel& other : archive.models) {
    if (other.name == model.name) continue;
    for (const std::string& record : records_of(archive, other, limits)) own.erase(record);
  }
  for (const ZipMember& member : archive.zip.members()) {
    const std::string name = name_in_copy(archive, member);
    if (!name.empty() && own.count(name) == 0) out.copy(archive.zip, member, name);
  }
}

}  // namespace

void save_into(const ProgramFile& file, const LoadedProgram& loaded, const SaveTarget& target,
               const std::vector<NamedTensor>& tensors, bool drop_samples) {
  if (file.archive() == nullptr)
    target.cannot_write("an archive needs weights, but the source file is not an archive");
  require_whole(loaded, target);
  const Archive& archive = *file.archive();
  const std::optional<std::string> asked =
      loaded.source.model.empty() ? std::nullopt : std::optional(loaded.source.model);
  const ArchivedModel& model = find_model(archive, asked);
  LoadOptions loading;
  loading.model = model.name;
  loading.newer_fields = schemagen::UnknownFields::skip;
  loading.leave_out = {schemagen::field_name<&Graph::nodes>};
  const LoadedProgram old = load_program(file, loading);
  std::vector<Weight> stored =
      weights_of(archive, model.name, old.program.graph_module.signature, file.limits());
  const std::vector<NamedTensor>& constants = loaded.constants.empty() ? old.constants : loaded.constants;
  add_constants(stored, constants);
  std::vector<Weight> weights = matching_weights(loaded.program, stored, tensors);
  append_unnamed(weights, stored, old.program.graph_module.signature);
  const bool keeps_samples = user_inputs_of(loaded.program) == user_inputs_of(old.program);
  if (tensors.empty() && keeps_samples && constants.empty() && are_as_stored(weights, stored)) {
    SaveOptions saving{&file};
    saving.drop_samples = drop_samples;
    return save_program(loaded, target, saving);
  }
  if (!loaded.unknown_fields.empty()) {
    target.cannot_write("preserved unknown fields cannot be written when weights change");
  }
  target.write([&](const ByteSink& sink) {
    const bool is_old_zip = archive.container == Container::old_zip;
    ArchiveWriter writer = is_old_zip ? ArchiveWriter(sink) : ArchiveWriter(sink, archive.top_folder);
    copy_others(archive, model, writer, file.limits());
    const ZipMember* const samples =
        keeps_samples && !drop_samples ? find_sample_inputs(archive, model) : nullptr;
    const MemberBytes bytes =
        samples == nullptr ? MemberBytes(std::string_view()) : archive.zip.read(*samples);
    write_model(writer, model.name, loaded.program, weights, bytes.view());
    add_missing_inputs(archive, writer);
    writer.finish();
  });
}

}  // namespace pt2
