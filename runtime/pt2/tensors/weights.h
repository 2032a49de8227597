// The weights and constants of a program, by name, with their tensors.
// All functions may be called from several threads at once.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/archive/archive.h"
#include "pt2/tensors/tensor.h"
#include "pt2/types.h"
#include "schemagen/value/limits.h"

namespace pt2 {

enum class WeightKind {
  parameter,
  buffer,
  constant,
  object,  // no tensor: a TorchBind object, or another one of Python, which is pickled
};

/// `parameter`, `buffer`, `constant`, `object`
std::string_view name_of(WeightKind kind);

/// What the tensors of inputs of this kind are; nullopt: such an input is no weight, or no tensor.
std::optional<WeightKind> tensor_kind(InputSpec::Kind kind);

/// One entry of a program's state dict or constants.
struct Weight {
  std::string name;  // in the model: `layer.weight`
  WeightKind kind = WeightKind::parameter;
  bool persistent = true;  // in the state dict; all others are among the constants
  bool pickled = false;
  std::string record;            // that holds it, without the top folder: `data/weights/weight_0`
  std::optional<Tensor> tensor;  // checked; nullopt: an object
};

/// The weights, then the constants, of `model` of `archive`, in the order of the archive, which must outlive
/// them. No byte of a tensor is read. Tensors that share a storage share the object.
///
/// Layouts: records of raw bytes with a payload config, by both names that these have had; files of
/// torch.save, of torch up to 2.8. No pickle is run: what torch's own weights_only loading would refuse is
/// refused by its name.
///
/// Errors: DataError if a payload config or pickle is malformed, a tensor's record is not there, or does not
/// hold it, see check_tensor().
std::vector<Weight> weights_of(const Archive& archive, std::string_view model,
                               const GraphSignature& signature, const schemagen::Limits& limits = {});

/// Appends tensors that `record` has pickled in a program, see UpgradedDocument::constants.
void append_constants(std::vector<Weight>& weights, const std::vector<NamedTensor>& constants,
                      const std::string& record);

/// The one called `name`. Errors: DataError if there is none.
const Weight& find_weight(const std::vector<Weight>& weights, std::string_view name);

}  // namespace pt2
