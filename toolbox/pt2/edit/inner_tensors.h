// Replaces tensor subclasses, such as torchao's quantized weights, with the tensors in them.
#pragma once

#include <vector>

#include "pt2/archive/tensors/weights.h"
#include "pt2/types.h"

namespace pt2 {

/// Replaces each TensorSubclass in `weights`, the weights of `program`, with its inner tensors, which
/// with_parts() names. In the program, each inner tensor that a node reads becomes an input, and the node
/// goes. Inner tensors that no node reads stay weights without an input. Does nothing if there is no
/// TensorSubclass.
///
/// Throws DataError, with the weight's name and class, if the program uses it for anything but reading a
/// tensor in it, or if it does not contain a tensor that a node reads.
std::vector<Weight> take_apart(ExportedProgram& program, std::vector<Weight> weights);

}  // namespace pt2
