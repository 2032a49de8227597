#include "pt2/archive/tensors/weights.h"

#include "pt2/archive/about.h"
#include "pt2/archive/record_names.h"
#include "pt2/archive/tensors/payloads.h"
#include "pt2/archive/tensors/tensor_files.h"
#include "pt2/graph/signature.h"
#include "pt2/text/join.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/quote.h"
#include "schemagen/json/document.h"
#include "schemagen/tree/dom.h"

namespace pt2 {
namespace {

using schemagen::DataError;
using Kinds = std::map<std::string_view, WeightKind>;
using schemagen::DomValue;

constexpr std::size_t kMostParts = std::size_t{1} << 18;

Kinds kinds_of(const GraphSignature& signature) {
  Kinds kinds;
  for (const InputSpec& spec : signature.input_specs) {
    const SpecParts<const InputSpec> parts = parts_of(spec);
    const std::optional<WeightKind> kind = tensor_kind(parts.kind);
    if (parts.target != nullptr && kind) kinds.emplace(*parts.target, *kind);
  }
  return kinds;
}

const ZipMember& require_record(const Archive& archive, const std::string& record) {
  if (const ZipMember* const member = find_record(archive, record)) return *member;
  throw DataError("the archive has no record " + schemagen::quoted(record));
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
      about("record", *config, [&] {
        const PayloadConfig payloads = read_payload_config(archive_, *config, limits_);
        weights.reserve(weights.size() + payloads.config.size());
        for (const auto& [name, payload] : payloads.config) {
          weights.push_back(
              about("tensor", name, [&, &key = name, &meta = payload] { return read_payload(key, meta); }));
        }
      });
    }
  }

 private:
  /// `is_parameter` counts only if the signature lacks the name.
  Weight new_weight(std::string name, std::string record, bool is_parameter) const {
    const bool persistent = part_ == PayloadPart::weights;
    const auto known = kinds_.find(name);
    const WeightKind kind = known != kinds_.end() ? known->second
                            : is_parameter        ? WeightKind::parameter
                            : persistent          ? WeightKind::buffer
                                                  : WeightKind::constant;
    return {std::move(name), kind, persistent, false, {}, std::move(record), {}, {}, {}};
  }

  void read_pickled(const std::string& record, std::vector<Weight>& weights) const {
    about("record", record, [&] {
      PickledTensors tensors(archive_.zip, *find_record(archive_, record), limits_);
      for (const auto& [name, value] : tensors.named()) {
        const PickledTensor& pickled = tensors.pickle()[value].tensor();
        Weight weight = new_weight(name, record, pickled.is_parameter);
        weight.pickled = true;
        weight.pickled_object = value;
        about("tensor", name, [&] { weight.tensor = tensors.tensor_of(pickled); });
        weights.push_back(std::move(weight));
      }
    });
  }

  Weight read_payload(const std::string& name, const PayloadMeta& payload) {
    Weight weight =
        new_weight(name, std::string(payload_folder(part_)) + payload.path_name, payload.is_param);
    weight.pickled = payload.use_pickle;
    const ZipMember& member = require_record(archive_, weight.record);
    if (is_object_payload(payload)) {
      weight.kind = WeightKind::object;
    } else if (payload.use_pickle) {
      read_pickled_payload(member, weight);
    } else {
      if (!payload.tensor_meta) throw DataError("it has no tensor_meta, although it is not an object");
      const TensorMeta& meta = *payload.tensor_meta;
      weight.tensor =
          Tensor{layout_of(meta), meta.device, meta.requires_grad, storage_of(weight.record, member)};
      check_tensor(*weight.tensor);
    }
    return weight;
  }

  void read_pickled_payload(const ZipMember& member, Weight& weight) {
    const auto [known, is_new] = pickled_.try_emplace(&member);
    auto& [tensor, subclass] = known->second;
    if (is_new) {
      try {
        tensor = PickledTensors(archive_.zip, member, limits_).only_tensor();
      } catch (const DataError&) {
        std::optional<TensorSubclass> found = subclass_in(member);
        if (!found) throw;
        subclass = std::move(*found);
      }
    }
    weight.tensor = tensor;
    weight.class_name = subclass.class_name;
    weight.parts = subclass.parts;
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
  /// Several weights may share a record.
  std::map<const ZipMember*, std::pair<std::optional<Tensor>, TensorSubclass>> pickled_;
  std::size_t parts_ = 0;
};

/// E.g. `float32[2, ?]`.
std::string program_type_text(const TensorMeta& meta) {
  const auto text_of = [](const SymInt& size) {
    const std::int64_t* const number = size.get_if<SymInt::as_int>();
    return number == nullptr ? "?" : std::to_string(*number);
  };
  return std::string(torch_name(meta.dtype)) + "[" + join_texts(meta.sizes, ", ", text_of) + "]";
}

/// The tensors by record, and whether they are parameters.
using WeightFiles = std::map<std::string, std::pair<Tensor, bool>>;

const std::pair<Tensor, bool>& open_weight(const Archive& archive, const std::string& record,
                                           const schemagen::Limits& limits, WeightFiles& files) {
  const auto known = files.find(record);
  if (known != files.end()) return known->second;
  PickledTensors file(archive.zip, require_record(archive, record), limits);
  const PickleValue& root = file.pickle()[file.pickle().root];
  if (root.kind != PickleKind::tensor)
    throw DataError("record " + schemagen::quoted(record) + " does not contain a strided tensor");
  const PickledTensor& tensor = root.tensor();
  return files.emplace(record, std::pair(file.tensor_of(tensor), tensor.is_parameter)).first->second;
}

std::vector<std::int64_t> numbers_of(const DomValue& value) {
  if (value.list() == nullptr) throw DataError("expected lists of sizes and strides");
  std::vector<std::int64_t> numbers;
  for (const DomValue& item : *value.list()) {
    const std::optional<std::int64_t> number = item.integer();
    if (!number) throw DataError("expected integers as sizes and strides");
    numbers.push_back(*number);
  }
  return numbers;
}

Weight read_entry(const Archive& archive, std::string_view name, const DomValue& entry,
                  const schemagen::Limits& limits, WeightFiles& files) {
  const DomValue::List* const found = entry.list();
  if (found == nullptr || found->size() != 4 || !(*found)[0].is_string() || !(*found)[3].is_integer()) {
    throw DataError("expected [file, shape, strides, offset]");
  }
  const DomValue::List& parts = *found;
  const std::string record = std::string(record::kWeights).append(parts[0].text());
  auto [tensor, is_parameter] = open_weight(archive, record, limits, files);
  tensor.layout = {tensor.layout.dtype, numbers_of(parts[1]), numbers_of(parts[2]), *parts[3].integer()};
  check_tensor(tensor);
  const WeightKind kind = is_parameter ? WeightKind::parameter : WeightKind::constant;
  return {std::string(name), kind, is_parameter, true, {}, record, std::move(tensor), {}, {}};
}

}  // namespace

std::string_view name_of(WeightKind kind) {
  constexpr std::string_view kNames[] = {"parameter", "buffer", "constant", "object"};
  return kNames[static_cast<std::size_t>(kind)];
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
    weights.push_back(
        {constant.name, WeightKind::constant, false, true, {}, record, constant.tensor, {}, {}});
  }
}

const Weight& find_weight(const std::vector<Weight>& weights, std::string_view name) {
  for (const Weight& weight : weights) {
    if (weight.name == name) return weight;
  }
  throw schemagen::UsageError("unknown tensor " + schemagen::quoted(name));
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return "[" + join_texts(shape, ", ", [](std::int64_t size) { return std::to_string(size); }) + "]";
}

bool has_shape(const TensorMeta& meta, const std::vector<std::int64_t>& shape) {
  return std::equal(meta.sizes.begin(), meta.sizes.end(), shape.begin(), shape.end(),
                    [](const SymInt& size, std::int64_t given) {
                      const std::int64_t* const number = size.get_if<SymInt::as_int>();
                      return number == nullptr || *number == given;
                    });
}

std::map<std::string_view, ProgramTensor> program_tensors(const ExportedProgram& program) {
  const GraphModule& module = program.graph_module;
  std::map<std::string_view, ProgramTensor> tensors;
  for (const InputSpec& spec : module.signature.input_specs) {
    const SpecParts<const InputSpec> parts = parts_of(spec);
    if (parts.target == nullptr || parts.name == nullptr) continue;
    if (parts.kind == InputSpec::custom_obj) {
      throw DataError("the program needs the object " + schemagen::quoted(*parts.target) +
                      ", which is not a tensor");
    }
    const std::optional<WeightKind> kind = tensor_kind(parts.kind);
    if (!kind) continue;
    const TensorMeta* const meta = module.graph.tensor_values.find(*parts.name);
    const bool persistent = *kind == WeightKind::parameter || parts.persistent.value_or(false);
    tensors.emplace(*parts.target, ProgramTensor{*kind, persistent, meta});
  }
  return tensors;
}

std::string mismatch_of(std::string_view name, const TensorLayout& layout, const TensorMeta& meta) {
  if (layout.dtype == meta.dtype && has_shape(meta, layout.shape)) return "";
  return "tensor " + schemagen::quoted(name) + " is " + std::string(torch_name(layout.dtype)) +
         shape_text(layout.shape) + ", but the program's is " + program_type_text(meta);
}

std::vector<NamedTensor> tensors_of(const std::vector<Weight>& weights) {
  std::vector<NamedTensor> tensors;
  for (const Weight& weight : weights) {
    if (weight.tensor) tensors.push_back({weight.name, *weight.tensor});
  }
  return tensors;
}

std::vector<std::string> tied_weights(const std::vector<Weight>& weights) {
  std::map<const Storage*, std::vector<const TensorLayout*>> layouts;
  std::vector<std::string> tied;
  for (const Weight& weight : weights) {
    if (!weight.tensor) continue;
    std::vector<const TensorLayout*>& known = layouts[weight.tensor->storage.get()];
    const TensorLayout& layout = weight.tensor->layout;
    if (std::any_of(known.begin(), known.end(),
                    [&](const TensorLayout* other) { return *other == layout; })) {
      tied.push_back(weight.name);
    }
    known.push_back(&layout);
  }
  return tied;
}

std::vector<Weight> weights_for(const ExportedProgram& program, const std::vector<NamedTensor>& tensors) {
  const auto expected = program_tensors(program);
  std::set<std::string_view> found;
  std::vector<Weight> weights;
  for (const NamedTensor& named : tensors) {
    const auto entry = expected.find(named.name);
    if (entry == expected.end())
      throw DataError("the program has no tensor " + schemagen::quoted(named.name));
    if (!found.insert(named.name).second)
      throw DataError("duplicate tensor " + schemagen::quoted(named.name));
    check_tensor(named.tensor);
    if (entry->second.meta != nullptr) {
      const std::string mismatch = mismatch_of(named.name, named.tensor.layout, *entry->second.meta);
      if (!mismatch.empty()) throw DataError(mismatch);
    }
    weights.push_back(
        {named.name, entry->second.kind, entry->second.persistent, false, {}, {}, named.tensor, {}, {}});
  }
  std::vector<std::string_view> missing;
  for (const auto& [name, entry] : expected) {
    if (found.count(name) == 0) missing.push_back(name);
  }
  if (!missing.empty())
    throw DataError("missing tensors that the program needs: " + schemagen::quoted_list(missing));
  return weights;
}

std::vector<Weight> compiled_weights_of(const Archive& archive, std::string_view model,
                                        const schemagen::Limits& limits) {
  std::vector<Weight> weights;
  const std::string record = record::joined(record::kAotInductor, model, "/weights_config.json");
  const ZipMember* const member = find_record(archive, record);
  if (member == nullptr) return weights;
  about("record", record, [&] {
    const MemberBytes json = archive.zip.read(*member);
    const schemagen::JsonDocument document(json.view(), {limits});
    const DomValue config = schemagen::to_dom(document);
    if (config.object() == nullptr) throw DataError("expected an object");
    WeightFiles files;
    for (const schemagen::DomMember& entry : *config.object()) {
      const std::string_view name = entry.name.view();
      weights.push_back(
          about("tensor", name, [&] { return read_entry(archive, name, entry.value, limits, files); }));
    }
  });
  return weights;
}

}  // namespace pt2
