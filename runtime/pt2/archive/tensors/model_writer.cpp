#include "pt2/archive/tensors/model_writer.h"

#include "pt2/archive/about.h"
#include "pt2/archive/record_names.h"
#include "pt2/json.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using schemagen::DataError;

struct Group {
  const Storage* storage = nullptr;
  std::vector<const Weight*> members;
};

std::vector<Group> groups_of(const std::vector<Weight>& weights, PayloadPart part) {
  std::vector<Group> groups;
  std::map<const Storage*, std::size_t> by_storage;
  for (const Weight& weight : weights) {
    if (weight.persistent != (part == PayloadPart::weights)) continue;
    if (!weight.tensor) {
      throw DataError(schemagen::quoted(weight.name) +
                      " is an object and can only be pickled, not written as raw bytes");
    }
    const Storage* const storage = weight.tensor->storage.get();
    const auto [group, is_new] = by_storage.emplace(storage, groups.size());
    if (is_new) groups.push_back({storage, {}});
    groups[group->second].members.push_back(&weight);
  }
  return groups;
}

void add_storage(ArchiveWriter& out, const std::string& record, const Group& group) {
  const Storage& storage = *group.storage;
  if (storage.order() != ByteOrder::big) {
    const ByteSource content = [&](const ByteSink& sink) { storage.copy(sink); };
    return out.add(record, storage.size(), content, storage.crc32());
  }
  for (const Weight* const weight : group.members) {
    if (number_bytes(weight->tensor->layout.dtype) !=
        number_bytes(group.members.front()->tensor->layout.dtype)) {
      throw DataError(schemagen::quoted(weight->name) +
                      " shares its big-endian storage with a tensor of a different element size");
    }
  }
  const std::size_t width = number_bytes(group.members.front()->tensor->layout.dtype);
  out.add(record, storage.size(), [&](const ByteSink& sink) { copy_swapped(storage, width, sink); });
}

}  // namespace

PayloadMeta payload_of(const Weight& weight, const std::string& file) {
  const Tensor& tensor = *weight.tensor;
  PayloadMeta payload;
  payload.path_name = file;
  payload.is_param = weight.kind == WeightKind::parameter;
  payload.use_pickle = false;
  payload.tensor_meta = meta_of(tensor);
  return payload;
}

void write_weights(ArchiveWriter& out, PayloadPart part, std::string_view model,
                   const std::vector<Weight>& weights, PayloadConfig config) {
  const std::string prefix = part == PayloadPart::weights ? "weight_" : "tensor_";
  const std::string folder(payload_folder(part));
  std::size_t number = out.count(folder + prefix);
  for (const Group& group : groups_of(weights, part)) {
    std::string file = prefix + std::to_string(number++);
    while (out.has(folder + file)) file = prefix + std::to_string(number++);
    about("tensor", group.members.front()->name, [&] { add_storage(out, folder + file, group); });
    for (const Weight* const weight : group.members) {
      if (!config.config.insert(weight->name, payload_of(*weight, file)).second) {
        throw DataError("duplicate tensor " + schemagen::quoted(weight->name));
      }
    }
  }
  out.add(payload_config_record(part, model), schemagen::to_json(config));
}

void write_model(ArchiveWriter& out, std::string_view model, const ExportedProgram& program,
                 const std::vector<Weight>& weights, std::string_view sample_inputs) {
  write_weights(out, PayloadPart::weights, model, weights);
  write_weights(out, PayloadPart::constants, model, weights);
  out.add(record::joined(record::kModels, model, record::kJson), schemagen::to_json(program));
  out.add(record::joined(record::kSampleInputs, model, record::kPickle), sample_inputs);
}

}  // namespace pt2
