// Summaries of programs, the cost of running them (multiply-adds and memory of values), and the operators
// that they need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pt2/operators/operators.h"
#include "pt2/strings/expression_value.h"
#include "pt2/types.h"

namespace pt2 {

/// An input that the caller passes, or an output that the caller receives.
struct SummaryValue {
  std::string name;                     // of the value; for a literal, its spelling in Python
  std::string type;                     // see type_text() and tensor_type_text(); empty for literals
  std::optional<std::string> constant;  // the literal, if the input was fixed during export
};

/// The tensors of one kind in a program.
struct TensorCount {
  std::size_t tensors = 0;
  std::int64_t elements = 0;  // of tensors with a known size
  std::int64_t bytes = 0;     // of tensors with a known size
  std::size_t unsized = 0;    // tensors with symbolic sizes, an unknown dtype or no table entry
};

/// The kinds of specs, or the names of operators, with the number of each.
template <class Spec>
using KindCounts = std::vector<std::pair<typename Spec::Kind, std::size_t>>;
using Counts = std::vector<std::pair<std::string, std::size_t>>;

struct ProgramSummary {
  std::vector<SummaryValue> user_inputs;
  std::vector<SummaryValue> user_outputs;
  KindCounts<InputSpec> other_inputs;  // in the order of the kinds: {InputSpec::parameter, 4}
  KindCounts<OutputSpec> other_outputs;

  // Tensors that share a storage are counted separately.
  TensorCount parameters;
  TensorCount buffers;                 // persistent ones, which are in the state dict
  TensorCount non_persistent_buffers;  // which are stored with the constants
  TensorCount constants;

  std::size_t nodes = 0;      // including nodes of subgraphs
  std::size_t subgraphs = 0;  // at all depths
  Counts operators;           // in all graphs, most frequent first, then by name
};

/// Returns a summary of `program`. Leaves out inputs and outputs that are not in the signature.
ProgramSummary summarize(const ExportedProgram& program);

/// Returns the number of nodes in `graph` and its subgraphs.
std::size_t count_nodes(const Graph& graph);

/// How to group nodes.
enum class StatsKey { operators, modules, nodes };

struct StatsOptions {
  StatsKey by = StatsKey::operators;
  Bindings bindings;  // values of symbols; other symbols remain in the results
  OperatorSet operators;
  std::vector<std::string> tied;  // weights to skip because another one has the same elements: tied_weights()
};

/// The costs of the nodes with the same operator, module or name. Nodes in subgraphs count once; nodes in
/// branches of a `cond` count only in their own rows. A module includes all its calls, inner modules and the
/// subgraphs of its nodes, so the row of the root includes everything.
struct StatsRow {
  std::string key;  // operator without `torch.ops.`, module path (empty: the root), or first output
  std::size_t nodes = 0;
  std::int64_t parameters = 0;  // elements of the parameters that its nodes use, as in ProgramStats
  Polynomial multiply_adds;
  Polynomial bytes;  // of the results; see ProgramStats::value_bytes
};

struct ProgramStats {
  /// Elements, except parameters of symbolic size. A parameter is not counted if another one has the same
  /// target, or if it is in StatsOptions::tied.
  std::int64_t parameters = 0;
  std::int64_t parameter_bytes = 0;
  std::int64_t buffer_bytes = 0;  // persistent or not
  /// See multiply_adds(). The body of a loop counts once. A `cond` counts its more expensive branch, or both
  /// branches if symbols make the comparison impossible.
  Polynomial multiply_adds;
  std::map<std::string, std::size_t> not_counted;  // number of nodes by operators without a formula
  /// The bytes of all node results, except possible views and results of unknown dtype.
  Polynomial value_bytes;
  /// The peak of live bytes. Each value lives from its node to the last use of it or its views. nullopt if a
  /// size has a symbol without a value.
  std::optional<std::int64_t> peak_bytes;
  std::vector<StatsRow> by;  // by multiply-adds, then bytes, descending; symbolic ones are estimated
};

/// Returns the costs of `program`. Throws DataError if a node does not match its operator, a size cannot be
/// parsed, or a number overflows 64 bits.
ProgramStats stats_of(const ExportedProgram& program, const StatsOptions& options = {});

/// Returns why a backend cannot run a node of `graph`; empty if it can.
using OperatorSupport = std::function<std::string(const Node& node, const Graph& graph)>;

/// Checks for a PyTorch release, such as `2.6`: it must have the node's operator with these arguments (types
/// are not checked), and must not have moved it to another operator for this device. Operators of torchvision
/// and torchao are assumed to exist. Throws UsageError if the release's operators are unknown.
OperatorSupport supported_by_torch(std::string_view release);

/// Checks for Core ATen: operators with PyTorch's tag `core`, in the release of the table. Functions on
/// numbers and symbols, and higher-order operators, also count as supported. Checks only a node's target.
OperatorSupport supported_by_core_aten();

/// Checks for operators listed in text, one per line: `aten.add.Tensor`, `torch.ops.aten.add.Tensor` or
/// `aten::add.Tensor`; without an overload (`aten.add`), all overloads. Comments start with `#`. Checks only
/// a node's target. `name` is the text's name in messages. Throws DataError, preceded by `NAME:LINE: `.
OperatorSupport supported_by_list(std::string_view text, std::string_view name);

/// How often an operator is called with tensors of these dtypes.
struct OperatorDtypes {
  std::vector<ScalarType> arguments;  // distinct dtypes of all tensors, in order
  std::vector<ScalarType> results;
  std::size_t nodes = 0;
};

/// An operator that a program calls.
struct OperatorUse {
  std::string target;  // Node.target: `torch.ops.aten.add.Tensor`
  std::size_t nodes = 0;
  std::vector<OperatorDtypes> dtypes;  // most frequent first
  std::string missing;                 // why the first of `missing_nodes` is not supported, or empty
  /// The unsupported nodes, by their first result, or by name if they have none. In a subgraph, the names of
  /// its holder and of the graph come first, as in DiagramNode::name: `getitem/true_graph_0/sin`.
  std::vector<std::string> missing_nodes;
  /// The operators that are left after torch's run_decompositions(); see Operator::decomposes_to. nullopt if
  /// the operator does not decompose or is unknown.
  std::optional<std::vector<std::string>> decomposes_to;
};

/// Returns the operators called in all graphs of `program`, most frequent first, then by target. `support`
/// decides which ones are missing; without it, none are.
std::vector<OperatorUse> operator_report(const ExportedProgram& program, const OperatorSupport& support = {});

}  // namespace pt2
