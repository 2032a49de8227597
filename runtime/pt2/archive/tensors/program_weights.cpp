#include "pt2/archive/tensors/weights.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "pt2/graph/signature.h"
#include "pt2/text/join.h"
#include "pt2/text/type_names.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using schemagen::DataError;

/// E.g. `float32[2, ?]`.
std::string program_type_text(const TensorMeta& meta) {
  const auto text_of = [](const SymInt& size) {
    const std::int64_t* const number = size.get_if<SymInt::as_int>();
    return number == nullptr ? "?" : std::to_string(*number);
  };
  return std::string(torch_name(meta.dtype)) + "[" + join_texts(meta.sizes, ", ", text_of) + "]";
}

}  // namespace

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
    Weight weight;
    weight.name = named.name;
    weight.kind = entry->second.kind;
    weight.persistent = entry->second.persistent;
    weight.tensor = named.tensor;
    weights.push_back(std::move(weight));
  }
  std::vector<std::string_view> missing;
  for (const auto& [name, entry] : expected) {
    if (found.count(name) == 0) missing.push_back(name);
  }
  if (!missing.empty())
    throw DataError("missing tensors that the program needs: " + schemagen::quoted_list(missing));
  return weights;
}

}  // namespace pt2
