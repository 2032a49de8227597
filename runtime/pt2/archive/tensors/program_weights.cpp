#include "pt2/archive/tensors/weights.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "pt2/graph/signature.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using schemagen::DataError;

struct Expected {
  WeightKind kind;
  bool persistent;
  const TensorMeta* meta;  // null: not in the graph
  bool found = false;
};

using ExpectedNames = std::map<std::string_view, Expected>;

ExpectedNames expected_names(const ExportedProgram& program) {
  const GraphModule& module = program.graph_module;
  ExpectedNames expected;
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
    expected.emplace(*parts.target, Expected{*kind, persistent, meta});
  }
  return expected;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t size : shape) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

/// Symbolic sizes match any size.
bool fits_meta(const TensorLayout& layout, const TensorMeta& meta) {
  if (layout.dtype != meta.dtype || layout.shape.size() != meta.sizes.size()) return false;
  for (std::size_t i = 0; i < layout.shape.size(); ++i) {
    const std::int64_t* const size = meta.sizes[i].get_if<SymInt::as_int>();
    if (size != nullptr && *size != layout.shape[i]) return false;
  }
  return true;
}

/// `float32[2, s0]`
std::string program_type_text(const TensorMeta& meta) {
  std::string sizes;
  for (const SymInt& size : meta.sizes) {
    const std::int64_t* const number = size.get_if<SymInt::as_int>();
    sizes += (sizes.empty() ? "" : ", ") + (number == nullptr ? "?" : std::to_string(*number));
  }
  return std::string(torch_name(meta.dtype)) + "[" + sizes + "]";
}

/// Returns the mismatch of a tensor and the graph; empty: none.
std::string mismatch_of(const std::string& name, const TensorLayout& layout, const TensorMeta& meta) {
  if (fits_meta(layout, meta)) return "";
  return "tensor " + schemagen::quoted(name) + " is " + std::string(torch_name(layout.dtype)) +
         shape_text(layout.shape) + ", and the program's is " + program_type_text(meta);
}

void require_fit(const NamedTensor& named, const TensorMeta& meta) {
  const std::string mismatch = mismatch_of(named.name, named.tensor.layout, meta);
  if (!mismatch.empty()) throw DataError(mismatch);
}

/// Throws DataError if `given` replaces a tensor but not another one with the same elements.
void require_whole_ties(const std::vector<Weight>& stored,
                        const std::map<std::string_view, const Tensor*>& given) {
  std::map<const Storage*, std::vector<const Weight*>> tied;
  for (const Weight& weight : stored) {
    if (weight.tensor) tied[weight.tensor->storage.get()].push_back(&weight);
  }
  for (const auto& [storage, weights] : tied) {
    const Weight* replaced = nullptr;
    const Weight* other = nullptr;
    for (const Weight* const weight : weights) (given.count(weight->name) != 0 ? replaced : other) = weight;
    if (replaced == nullptr || other == nullptr ||
        replaced->tensor->layout.offset != other->tensor->layout.offset)
      continue;
    throw DataError("tensor " + schemagen::quoted(replaced->name) + " shares its storage with " +
                    schemagen::quoted(other->name) + ": replace both");
  }
}

/// A stored or given tensor as a weight of the program.
Weight weight_of(std::string_view name, const Expected& expected, const Tensor& tensor) {
  check_tensor(tensor);
  Weight weight;
  weight.name = std::string(name);
  weight.kind = expected.kind;
  weight.persistent = expected.persistent;
  weight.tensor = tensor;
  if (expected.meta == nullptr || tensor.is_on_meta()) return weight;
  if (expected.meta->device.type != tensor.device.type) weight.tensor->device = expected.meta->device;
  return weight;
}

/// Collects what keeps weights from being those of a program.
class Mismatches {
 public:
  void add(const std::string& mismatch) {
    if (mismatch.empty()) return;
    if (count_++ == 0) first_ = mismatch;
  }

  void require_none() const {
    if (count_ == 0) return;
    throw DataError("the archive does not match the program: " + first_ +
                    (count_ == 1 ? "" : "; " + std::to_string(count_) + " tensors do not match"));
  }

 private:
  std::size_t count_ = 0;
  std::string first_;
};

}  // namespace

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

std::vector<Weight> matching_weights(const ExportedProgram& program, const std::vector<Weight>& stored,
                                     const std::vector<NamedTensor>& given) {
  const ExpectedNames expected = expected_names(program);
  std::map<std::string_view, const Tensor*> tensors;
  for (const NamedTensor& named : given) {
    if (expected.count(named.name) == 0)
      throw DataError("the program has no tensor " + schemagen::quoted(named.name));
    tensors.emplace(named.name, &named.tensor);
  }
  std::vector<Weight> used;  // of the archive
  for (const Weight& weight : stored) {
    if (expected.count(weight.name) != 0) used.push_back(weight);
  }
  require_whole_ties(used, tensors);
  std::map<std::string_view, const Weight*> by_name;
  for (const Weight& weight : used) {
    if (weight.tensor) tensors.emplace(weight.name, &*weight.tensor);
    by_name.emplace(weight.name, &weight);
  }
  Mismatches mismatches;
  std::vector<Weight> weights;
  for (const auto& [name, entry] : expected) {
    const auto tensor = tensors.find(name);
    const auto found = by_name.find(name);
    if (tensor != tensors.end()) {
      if (entry.meta != nullptr) {
        mismatches.add(mismatch_of(std::string(name), tensor->second->layout, *entry.meta));
      }
      weights.push_back(weight_of(name, entry, *tensor->second));
    } else if (found != by_name.end()) {
      weights.push_back(*found->second);  // an object, or of a class of tensors
    } else {
      mismatches.add("it has no tensor " + schemagen::quoted(name));
    }
  }
  mismatches.require_none();
  return weights;
}

std::vector<Weight> weights_for(const ExportedProgram& program, const std::vector<NamedTensor>& tensors) {
  ExpectedNames expected = expected_names(program);
  std::vector<Weight> weights;
  for (const NamedTensor& named : tensors) {
    const auto entry = expected.find(named.name);
    if (entry == expected.end())
      throw DataError("the program has no tensor " + schemagen::quoted(named.name));
    if (entry->second.found) throw DataError("duplicate tensor " + schemagen::quoted(named.name));
    entry->second.found = true;
    check_tensor(named.tensor);
    if (entry->second.meta != nullptr) require_fit(named, *entry->second.meta);
    Weight weight;
    weight.name = named.name;
    weight.kind = entry->second.kind;
    weight.persistent = entry->second.persistent;
    weight.tensor = named.tensor;
    weights.push_back(std::move(weight));
  }
  std::vector<std::string_view> missing;
  for (const auto& [name, entry] : expected) {
    if (!entry.found) missing.push_back(name);
  }
  if (!missing.empty())
    throw DataError("the program needs the tensors " + schemagen::quoted_list(missing) + ", too");
  return weights;
}

}  // namespace pt2
