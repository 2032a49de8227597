// Tensors by name, held against what a program says of them. All functions may be called from several threads
// at once.
#pragma once

#include <vector>

#include "pt2/tensors/safetensors.h"
#include "pt2/tensors/weights.h"

namespace pt2 {

/// `tensors` as the weights of `program`: for each name that its signature has as a parameter, buffer or
/// constant there is one, of the dtype and shape that the graph has for it. Tensors with the same Storage
/// share it. Errors: DataError, with the names, if some are missing or more than there should be, differ in
/// dtype or shape, or the program needs an object, which is not a tensor.
std::vector<Weight> weights_for(const ExportedProgram& program, const std::vector<NamedTensor>& tensors);

/// The tensors of `weights` by name, without objects.
std::vector<NamedTensor> tensors_of(const std::vector<Weight>& weights);

}  // namespace pt2
