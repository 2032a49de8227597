#include "pt2/tensors/weights.h"

#include <map>
#include <utility>

#include "pt2/graph/signature.h"
#include "pt2/tensors/payloads.h"
#include "schemagen/value/error.h"
#include "schemagen/value/quote.h"

namespace pt2 {
namespace {

using schemagen::DataError;
using schemagen::quoted;

/// What the names of the model stand for.
std::map<std::string_view, WeightKind> kinds_of(const GraphSignature& signature) {
  std::map<std::string_view, WeightKind> kinds;
  for (const InputSpec& spec : signature.input_specs) {
    const SpecParts<const InputSpec> parts = parts_of(spec);
    if (parts.target == nullptr) continue;
    if (parts.kind == InputSpec::parameter) kinds.emplace(*parts.target, WeightKind::parameter);
    if (parts.kind == InputSpec::buffer) kinds.emplace(*parts.target, WeightKind::buffer);
    if (parts.kind == InputSpec::tensor_constant) kinds.emplace(*parts.target, WeightKind::constant);
    if (parts.kind == InputSpec::custom_obj) kinds.emplace(*parts.target, WeightKind::object);
  }
  return kinds;
}

/// Reads the payloads of one part of a model.
class PayloadReader {
 public:
  PayloadReader(const Archive& archive, PayloadPart part, const schemagen::Limits& limits)
      : archive_(archive),
        zip_(std::shared_ptr<const ZipReader>(), &archive.zip),
        part_(part),
        limits_(limits) {}

  /// Whether the model has a config: then its entries are in `weights`.
  bool read(std::string_view model, const GraphSignature& signature, std::vector<Weight>& weights) {
    const std::optional<std::string> record = find_payload_config(archive_, part_, model);
    if (!record) return false;
    const std::map<std::string_view, WeightKind> kinds = kinds_of(signature);
    for (const auto& [name, payload] : read_payload_config(archive_, *record, limits_).config) {
      const auto kind = kinds.find(name);
      try {
        weights.push_back(
            read_payload(name, payload, kind == kinds.end() ? default_kind(payload) : kind->second));
      } catch (const DataError& error) {
        throw DataError("record " + quoted(*record) + ": tensor " + quoted(name) + ": " + error.reason());
      }
    }
    return true;
  }

 private:
  WeightKind default_kind(const PayloadMeta& payload) const {
    if (payload.is_param) return WeightKind::parameter;
    return part_ == PayloadPart::weights ? WeightKind::buffer : WeightKind::constant;
  }

  Weight read_payload(const std::string& name, const PayloadMeta& payload, WeightKind kind) {
    Weight weight;
    weight.name = name;
    weight.kind = is_object_payload(payload) ? WeightKind::object : kind;
    weight.persistent = part_ == PayloadPart::weights;
    weight.pickled = payload.use_pickle;
    weight.record = std::string(payload_folder(part_)) + payload.path_name;
    const ZipMember* const member = find_record(archive_, weight.record);
    if (member == nullptr) throw DataError("the archive has no record " + quoted(weight.record));
    if (weight.kind == WeightKind::object) return weight;
    if (!payload.tensor_meta) throw DataError("it has no tensor_meta, which only objects can be without");
    const TensorMeta& meta = *payload.tensor_meta;
    weight.tensor =
        Tensor{layout_of(meta), meta.device, meta.requires_grad, storage_of(weight.record, *member)};
    check_tensor(*weight.tensor);
    return weight;
  }

  std::shared_ptr<const Storage> storage_of(const std::string& record, const ZipMember& member) {
    std::shared_ptr<const Storage>& storage = storages_[record];
    if (!storage) storage = std::make_shared<const Storage>(zip_, member, archive_.byte_order);
    return storage;
  }

  const Archive& archive_;
  std::shared_ptr<const ZipReader> zip_;  // owns nothing: the archive outlives it
  PayloadPart part_;
  const schemagen::Limits& limits_;
  std::map<std::string, std::shared_ptr<const Storage>> storages_;  // by record
};

}  // namespace

std::string_view name_of(WeightKind kind) {
  switch (kind) {
    case WeightKind::parameter:
      return "parameter";
    case WeightKind::buffer:
      return "buffer";
    case WeightKind::constant:
      return "constant";
    case WeightKind::object:
      break;
  }
  return "object";
}

std::vector<Weight> weights_of(const Archive& archive, std::string_view model,
                               const GraphSignature& signature, const schemagen::Limits& limits) {
  std::vector<Weight> weights;
  for (const PayloadPart part : {PayloadPart::weights, PayloadPart::constants}) {
    PayloadReader(archive, part, limits).read(model, signature, weights);
  }
  return weights;
}

const Weight& find_weight(const std::vector<Weight>& weights, std::string_view name) {
  for (const Weight& weight : weights) {
    if (weight.name == name) return weight;
  }
  throw DataError("there is no tensor " + quoted(name));
}

}  // namespace pt2
