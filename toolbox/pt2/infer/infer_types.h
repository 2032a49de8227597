// Infers the types of all values in a program from the types of its inputs.
#pragma once

#include <cstddef>

#include "pt2/infer/infer.h"

namespace pt2 {

/// A result whose recorded type differs from its inferred type.
struct StaleType {
  std::string name;
  TensorMeta inferred;
};

/// Returns the results of `node` in `graph` whose recorded dtype or sizes are stale: they differ from those
/// that infer_results() returns for the recorded types of the node's inputs. Two sizes count as different if
/// they evaluate to different numbers, either for the symbols' values in `hints` or for a second set of
/// values derived from them. Returns an empty vector if inference has no rule for `op` or fails; if it
/// throws ShapeError, `fault`, which may be null, receives the reason.
std::vector<StaleType> stale_results(const Node& node, const Operator& op, const Graph& graph,
                                     const Bindings& hints, const Autocast& autocast, SizeTexts& texts,
                                     std::string* fault = nullptr);

/// Returns whether the recorded types of `node` are those that a torch.autocast mode gives, and `torch`, the
/// release that wrote the program, dropped such modes from non-strict exports but kept their dtypes. These
/// are torch 2.4, which records no version, and 2.5.
bool follow_lost_autocast(const std::string& torch, const Node& node, const Operator& op, const Graph& graph,
                          const Bindings& hints, SizeTexts& texts);

/// A part of a recorded type that differs from the inferred one.
struct TypeDifference {
  std::string where;   // the node, e.g. "add" or, in a subgraph, "cond/true_graph_0/add"
  std::string target;  // of the node
  std::string value;   // the result
  std::string part;    // "dtype", "sizes", "strides", "device", "layout" or "value" (of a symbolic int)
  std::string recorded;
  std::string inferred;
};

/// A node whose types cannot be inferred from the recorded types of its inputs.
struct UninferredNode {
  std::string where;
  std::string target;
  std::string why;  // "the operator is unknown", "there is no inference rule for the operator", ...
};

struct TypeComparison {
  std::size_t nodes = 0;  // whose types were compared
  std::vector<TypeDifference> differences;
  std::vector<UninferredNode> uninferred;
};

/// Infers the results of each node, including nodes in subgraphs, from the recorded types of its inputs, and
/// compares them with the recorded types. Ignores storage offsets, and strides of dimensions of size 1. For
/// symbolic sizes, see stale_results().
///
/// Throws DataError if an expression in the program cannot be parsed.
TypeComparison compare_types(const ExportedProgram& program, const OperatorSet& operators = {});

/// Infers the types of all values again, from the inputs to the outputs and including subgraphs, and corrects
/// the types that differ. Returns the names of the changed values. Results of operators without an inference
/// rule keep their recorded types.
///
/// Throws DataError, and leaves the program unchanged, if the type of a node's input changed but the types of
/// the node's results cannot be inferred, because the operator has no rule or does not accept the inputs. The
/// message names the node.
std::vector<std::string> infer_types(ExportedProgram& program, const OperatorSet& operators = {});

/// Does the same for a program that was made by editing `before`. Infers only the results of the nodes that
/// `before` lacks and of the nodes that depend on changed types.
std::vector<std::string> infer_types(ExportedProgram& program, const ExportedProgram& before,
                                     const OperatorSet& operators = {});

/// Does the same for a program that is still being edited: results whose types cannot be inferred keep their
/// types instead of being an error.
std::vector<std::string> infer_known_types(ExportedProgram& program, const ExportedProgram& before,
                                           const OperatorSet& operators = {});

}  // namespace pt2
