#include "pt2/archive/tensors/model_writer.h"

#include "pt2/archive/about.h"
#include "pt2/archive/record_names.h"
#include "pt2/json.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using schemagen::DataError;

/// Weights that share a storage.
using StorageGroup = std::vector<const Weight*>;

std::vector<StorageGroup> groups_of(const std::vector<Weight>& weights, PayloadPart part) {
  std::vector<StorageGroup> groups;
  std::map<const Storage*, std::size_t> by_storage;
  for (const Weight& weight : weights) {
    if (weight.persistent != (part == PayloadPart::weights)) continue;
    if (!weight.tensor) {
      throw DataError(schemagen::quoted(weight.name) +
                      " is an object and can only be pickled, not written as raw bytes");
    }
    const auto [group, is_new] = by_storage.emplace(weight.tensor->storage.get(), groups.size());
    if (is_new) groups.emplace_back();
    groups[group->second].push_back(&weight);
  }
  return groups;
}

void add_storage(ArchiveWriter& out, const std::string& record, const StorageGroup& group) {
  const Storage& storage = *group.front()->tensor->storage;
  if (storage.order() != ByteOrder::big) {
    const ByteSource content = [&](const ByteSink& sink) { storage.copy(sink); };
    return out.add(record, storage.size(), content, storage.crc32());
  }
  const std::size_t width = number_bytes(group.front()->tensor->layout.dtype);
  for (const Weight* const weight : group) {
    if (number_bytes(weight->tensor->layout.dtype) != width) {
      throw DataError(schemagen::quoted(weight->name) +
                      " shares its big-endian storage with a tensor of a different element size");
    }
  }
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
  for (const StorageGroup& group : groups_of(weights, part)) {
    std::string file = prefix + std::to_string(number++);
    while (out.has(folder + file)) file = prefix + std::to_string(number++);
    about("tensor", group.front()->name, [&] { add_storage(out, folder + file, group); });
    for (const Weight* const weight : group) {
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
