// Types of all values of a program, computed from its inputs.
#pragma once

#include <string>
#include <vector>

#include "pt2/infer/infer.h"
#include "pt2/operators/operators.h"
#include "pt2/types.h"

namespace pt2 {

/// A result whose stated type differs from the inferred one.
struct StaleType {
  std::string name;
  TensorMeta inferred;
};

/// Returns the results of `node` in `graph` whose stated dtype or sizes differ from those that
/// infer_results() returns for the stated types of its inputs. Sizes differ if they have different values for
/// `hints` or for other values of the symbols. Empty if there is no rule for `op`, or inference fails.
std::vector<StaleType> stale_results(const Node& node, const Operator& op, const Graph& graph,
                                     const Bindings& hints, const Autocast& autocast, SizeTexts& texts);

/// Recomputes the types of all values from the inputs to the outputs, including subgraphs, and corrects those
/// that differ. Returns the names of the changed values. Results of operators without an inference rule keep
/// their stated types.
///
/// Throws DataError, and leaves the program unchanged, if the type of a node's input changed and its results
/// cannot be inferred, because its operator has no rule or does not accept the inputs. The message names the
/// node.
std::vector<std::string> infer_types(ExportedProgram& program, const OperatorSet& operators = {});

/// Does the same after an edit of `before`, but recomputes only the results of nodes that `before` lacks, and
/// of nodes that depend on changed types.
std::vector<std::string> infer_types(ExportedProgram& program, const ExportedProgram& before,
                                     const OperatorSet& operators = {});

}  // namespace pt2
