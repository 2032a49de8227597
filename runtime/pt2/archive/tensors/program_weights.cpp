#include "pt2/archive/tensors/weights.h"

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

void require_fit(const NamedTensor& named, const TensorMeta& meta) {
  const TensorLayout& layout = named.tensor.layout;
  if (fits_meta(layout, meta)) return;
  throw DataError("tensor " + schemagen::quoted(named.name) + " is " + std::string(torch_name(layout.dtype)) +
                  shape_text(layout.shape) + ", and the program's is " + std::string(torch_name(meta.dtype)) +
                  shape_text(layout_of(meta).shape));
}

}  // namespace

std::vector<NamedTensor> tensors_of(const std::vector<Weight>& weights) {
  std::vector<NamedTensor> tensors;
  for (const Weight& weight : weights) {
    if (weight.tensor) tensors.push_back({weight.name, *weight.tensor});
  }
  return tensors;
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
