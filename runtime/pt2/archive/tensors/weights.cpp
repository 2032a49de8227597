#include "pt2/archive/tensors/weights.h"

#include <map>
#include <utility>

#include "pt2/archive/tensors/payloads.h"
#include "pt2/archive/tensors/tensor_files.h"
#include "pt2/graph/signature.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

constexpr std::size_t kMostParts = std::size_t{1} << 18;

using schemagen::DataError;

using Kinds = std::map<std::string_view, WeightKind>;

Kinds kinds_of(const GraphSignature& signature) {
  Kinds kinds;
  for (const InputSpec& spec : signature.input_specs) {
    const SpecParts<const InputSpec> parts = parts_of(spec);
    const std::optional<WeightKind> kind = tensor_kind(parts.kind);
    if (parts.target != nullptr && kind) kinds.emplace(*parts.target, *kind);
  }
  return kinds;
}

template <class Read>
void about_tensor(std::string_view name, const Read& read) {
  try {
    read();
  } catch (const DataError& error) {
    throw DataError("tensor " + schemagen::quoted(name) + ": " + error.what());
  }
}

template <class Read>
void about_record(std::string_view record, const Read& read) {
  try {
    read();
  } catch (const DataError& error) {
    throw DataError("record " + schemagen::quoted(record) + ": " + error.what());
  }
}

class PartReader {
 public:
  PartReader(const Archive& archive, PayloadPart part, const Kinds& kinds, const schemagen::Limits& limits)
      : archive_(archive),
        zip_(std::shared_ptr<const ZipReader>(), &archive.zip),
        part_(part),
        kinds_(kinds),
        limits_(limits) {}

  /// As in torch, pickled weights take precedence; then there is no config.
  void read(std::string_view model, std::vector<Weight>& weights) {
    if (const std::optional<std::string> pickled = find_pickled_payload(archive_, part_, model)) {
      read_pickled(*pickled, weights);
    } else if (const std::optional<std::string> config = find_payload_config(archive_, part_, model)) {
      about_record(*config, [&] {
        const PayloadConfig payloads = read_payload_config(archive_, *config, limits_);
        weights.reserve(weights.size() + payloads.config.size());
        for (const auto& [name, payload] : payloads.config) {
          about_tensor(name,
                       [&, &key = name, &meta = payload] { weights.push_back(read_payload(key, meta)); });
        }
      });
    }
  }

 private:
  /// `is_parameter` counts only if the signature lacks the name.
  Weight new_weight(std::string name, std::string record, bool is_parameter) const {
    Weight weight;
    const auto kind = kinds_.find(name);
    weight.kind = part_ == PayloadPart::weights ? WeightKind::buffer : WeightKind::constant;
    if (is_parameter) weight.kind = WeightKind::parameter;
    if (kind != kinds_.end()) weight.kind = kind->second;
    weight.name = std::move(name);
    weight.persistent = part_ == PayloadPart::weights;
    weight.record = std::move(record);
    return weight;
  }

  void read_pickled(const std::string& record, std::vector<Weight>& weights) const {
    about_record(record, [&] {
      PickledTensors tensors(archive_.zip, *find_record(archive_, record), limits_);
      for (const NamedPickledTensor& named : named_tensors(tensors.file())) {
        const PickledTensor& pickled = tensors.file().pickle[named.value].tensor();
        Weight weight = new_weight(named.name, record, pickled.is_parameter);
        weight.pickled = true;
        weight.pickled_object = named.value;
        about_tensor(named.name, [&] { weight.tensor = tensors.tensor_of(pickled); });
        weights.push_back(std::move(weight));
      }
    });
  }

  Weight read_payload(const std::string& name, const PayloadMeta& payload) {
    Weight weight =
        new_weight(name, std::string(payload_folder(part_)) + payload.path_name, payload.is_param);
    weight.pickled = payload.use_pickle;
    const ZipMember* const member = find_record(archive_, weight.record);
    if (member == nullptr) throw DataError("the archive has no record " + schemagen::quoted(weight.record));
    if (is_object_payload(payload)) {
      weight.kind = WeightKind::object;
    } else if (payload.use_pickle) {
      read_pickled_payload(*member, weight);
    } else {
      if (!payload.tensor_meta) throw DataError("it has no tensor_meta, although it is not an object");
      const TensorMeta& meta = *payload.tensor_meta;
      weight.tensor =
          Tensor{layout_of(meta), meta.device, meta.requires_grad, storage_of(weight.record, *member)};
      check_tensor(*weight.tensor);
    }
    return weight;
  }

  void read_pickled_payload(const ZipMember& member, Weight& weight) {
    const auto [made, is_new] = pickled_.try_emplace(&member);
    Pickled& pickled = made->second;
    if (is_new) {
      try {
        pickled.tensor = PickledTensors(archive_.zip, member, limits_).only_tensor();
      } catch (const DataError&) {
        std::optional<TensorSubclass> subclass = subclass_in(member);
        if (!subclass) throw;
        pickled.subclass = std::move(*subclass);
      }
    }
    weight.tensor = pickled.tensor;
    weight.class_name = pickled.subclass.class_name;
    weight.parts = pickled.subclass.parts;
    parts_ += weight.parts.size();
    if (parts_ > kMostParts)
      throw DataError("the tensor subclasses contain more than " + std::to_string(kMostParts) + " tensors");
  }

  std::optional<TensorSubclass> subclass_in(const ZipMember& member) const {
    try {
      return PickledTensors(archive_.zip, member, limits_, PickleGlobals::any).only_subclass();
    } catch (const DataError&) {
      return std::nullopt;  // keeps the error of the strict reader
    }
  }

  std::shared_ptr<const Storage> storage_of(const std::string& record, const ZipMember& member) {
    std::shared_ptr<const Storage>& storage = storages_[record];
    if (!storage) storage = std::make_shared<const Storage>(zip_, member, archive_.byte_order);
    return storage;
  }

  const Archive& archive_;
  std::shared_ptr<const ZipReader> zip_;
  PayloadPart part_;
  const Kinds& kinds_;
  const schemagen::Limits& limits_;
  std::map<std::string, std::shared_ptr<const Storage>> storages_;
  struct Pickled {
    std::optional<Tensor> tensor;
    TensorSubclass subclass;
  };
  std::map<const ZipMember*, Pickled> pickled_;  // several weights may share a record
  std::size_t parts_ = 0;
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

std::optional<WeightKind> tensor_kind(InputSpec::Kind kind) {
  if (kind == InputSpec::parameter) return WeightKind::parameter;
  if (kind == InputSpec::buffer) return WeightKind::buffer;
  if (kind == InputSpec::tensor_constant) return WeightKind::constant;
  return std::nullopt;
}

std::vector<Weight> weights_of(const Archive& archive, std::string_view model,
                               const GraphSignature& signature, const schemagen::Limits& limits) {
  if (std::string why = why_unfinished(archive, model, signature); !why.empty())
    throw DataError(std::move(why));
  std::vector<Weight> weights;
  const Kinds kinds = kinds_of(signature);
  for (const PayloadPart part : kPayloadParts) {
    PartReader(archive, part, kinds, limits).read(model, weights);
  }
  return weights;
}

std::vector<Weight> with_parts(std::vector<Weight> weights) {
  std::vector<Weight> all;
  all.reserve(weights.size());
  for (Weight& weight : weights) {
    const std::size_t place = all.size();
    all.emplace_back();
    for (const NamedTensor& part : weight.parts) {
      Weight own = weight;
      own.name += "." + part.name;
      own.tensor = part.tensor;
      own.class_name.clear();
      own.parts.clear();
      all.push_back(std::move(own));
    }
    all[place] = std::move(weight);
  }
  return all;
}

void append_constants(std::vector<Weight>& weights, const std::vector<NamedTensor>& constants,
                      const std::string& record) {
  for (const NamedTensor& constant : constants) {
    Weight weight;
    weight.name = constant.name;
    weight.kind = WeightKind::constant;
    weight.persistent = false;
    weight.pickled = true;
    weight.record = record;
    weight.tensor = constant.tensor;
    weights.push_back(std::move(weight));
  }
}

const Weight& find_weight(const std::vector<Weight>& weights, std::string_view name) {
  for (const Weight& weight : weights) {
    if (weight.name == name) return weight;
  }
  throw schemagen::UsageError("unknown tensor " + schemagen::quoted(name));
}

}  // namespace pt2
