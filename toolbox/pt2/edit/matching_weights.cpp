#include "pt2/edit/matching_weights.h"

#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using schemagen::DataError;

/// Tensors with the same elements must be replaced together.
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

Weight weight_of(std::string_view name, const ProgramTensor& expected, const Tensor& tensor) {
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

}  // namespace

std::vector<Weight> matching_weights(const ExportedProgram& program, const std::vector<Weight>& stored,
                                     const std::vector<NamedTensor>& given) {
  const auto expected = program_tensors(program);
  std::map<std::string_view, const Tensor*> tensors;
  for (const NamedTensor& named : given) {
    if (expected.count(named.name) == 0)
      throw DataError("the program has no tensor " + schemagen::quoted(named.name));
    tensors.emplace(named.name, &named.tensor);
  }
  std::vector<Weight> used;
  for (const Weight& weight : stored) {
    if (expected.count(weight.name) != 0) used.push_back(weight);
  }
  require_whole_ties(used, tensors);
  std::map<std::string_view, const Weight*> by_name;
  for (const Weight& weight : used) {
    if (weight.tensor) tensors.emplace(weight.name, &*weight.tensor);
    by_name.emplace(weight.name, &weight);
  }
  std::size_t mismatches = 0;
  std::string first;
  const auto note = [&](std::string mismatch) {
    if (!mismatch.empty() && mismatches++ == 0) first = std::move(mismatch);
  };
  std::vector<Weight> weights;
  for (const auto& [name, entry] : expected) {
    const auto tensor = tensors.find(name);
    const auto found = by_name.find(name);
    if (tensor != tensors.end()) {
      if (entry.meta != nullptr) note(mismatch_of(name, tensor->second->layout, *entry.meta));
      weights.push_back(weight_of(name, entry, *tensor->second));
    } else if (found != by_name.end()) {
      weights.push_back(*found->second);  // an object or tensor subclass
    } else {
      note("it has no tensor " + schemagen::quoted(name));
    }
  }
  if (mismatches == 0) return weights;
  throw DataError("the archive does not match the program: " + first +
                  (mismatches == 1 ? "" : "; " + std::to_string(mismatches) + " tensors do not match"));
}

}  // namespace pt2
