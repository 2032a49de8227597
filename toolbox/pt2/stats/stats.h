// Summarizes programs, computes the costs of running them (multiply-adds and the memory for values), and
// lists the operators that they need.
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
  std::string name;                     // the value's name, or a literal as spelled in Python
  std::string type;                     // as type_text() and tensor_type_text() return it; empty for literals
  std::optional<std::string> constant;  // the literal, if the input was fixed during export
};

/// The tensors of one kind in a program.
struct TensorCount {
  std::size_t tensors = 0;
  std::int64_t elements = 0;  // total over the tensors with a known size
  std::int64_t bytes = 0;     // total over the tensors with a known size
  std::size_t unsized = 0;    // tensors with symbolic sizes, an unknown dtype or no table entry
};

/// The number of specs of each kind, and the number of calls to each operator.
template <class Spec>
using KindCounts = std::vector<std::pair<typename Spec::Kind, std::size_t>>;
using Counts = std::vector<std::pair<std::string, std::size_t>>;

struct ProgramSummary {
  std::vector<SummaryValue> user_inputs;
  std::vector<SummaryValue> user_outputs;
  KindCounts<InputSpec> other_inputs;  // in the order of the kinds, e.g. {InputSpec::parameter, 4}
  KindCounts<OutputSpec> other_outputs;

  // Tensors that share a storage are counted separately.
  TensorCount parameters;
  TensorCount buffers;                 // persistent buffers, which are in the state dict
  TensorCount non_persistent_buffers;  // buffers that are stored with the constants
  TensorCount constants;

  std::size_t nodes = 0;      // the number of nodes, including nodes of subgraphs
  std::size_t subgraphs = 0;  // the number of subgraphs at all depths
  Counts operators;           // the operators in all graphs, most frequent first, and then by name
};

/// Returns a summary of `program`. Inputs and outputs that are not in the signature are left out.
ProgramSummary summarize(const ExportedProgram& program);

/// Returns the number of nodes in `graph` and its subgraphs.
std::size_t count_nodes(const Graph& graph);

/// How stats_of() groups nodes into rows.
enum class StatsKey { operators, modules, nodes };

struct StatsOptions {
  StatsKey by = StatsKey::operators;
  Bindings bindings;  // values of symbols; symbols without a value remain in the results
  OperatorSet operators;
  /// Weights to skip because another weight has the same elements; see tied_weights().
  std::vector<std::string> tied;
};

/// The costs of the nodes with the same operator, module or name. Each node in a subgraph counts once. Nodes
/// in the branches of a `cond` count only in their own rows. A module's row includes all calls to the module,
/// its inner modules and the subgraphs of its nodes; the root's row therefore includes everything.
struct StatsRow {
  /// The operator without the prefix `torch.ops`, the module's path (empty for the root), or the name of the
  /// node's first output.
  std::string key;
  std::size_t nodes = 0;
  /// Elements of the parameters that the row's nodes use, counted as in ProgramStats.
  std::int64_t parameters = 0;
  Polynomial multiply_adds;
  Polynomial bytes;  // bytes of the nodes' results; see ProgramStats::value_bytes
};

struct ProgramStats {
  /// The number of elements in all parameters except those with symbolic sizes. A parameter does not count if
  /// an earlier parameter has the same target, or if StatsOptions::tied contains its name.
  std::int64_t parameters = 0;
  std::int64_t parameter_bytes = 0;
  std::int64_t buffer_bytes = 0;  // size of all buffers, persistent or not
  /// The number of multiply-adds. A loop's body counts once. A `cond` counts as its more expensive branch, or
  /// as both branches if symbols make the comparison impossible.
  Polynomial multiply_adds;
  /// Operators that have no formula, and the number of nodes that call each.
  std::map<std::string, std::size_t> not_counted;
  /// The bytes of all node results, except results that could be views and results of unknown dtype.
  Polynomial value_bytes;
  /// The largest number of bytes that are live at the same time. A value is live from the node that computes
  /// it to the last use of the value or of its views. nullopt if a size has a symbol without a value.
  std::optional<std::int64_t> peak_bytes;
  /// The rows, sorted by multiply-adds and then bytes, in descending order. Symbolic costs are compared using
  /// estimates.
  std::vector<StatsRow> by;
};

/// Computes the costs of `program`. Throws DataError if a node does not match its operator, if a size cannot
/// be parsed, or if a number overflows 64 bits.
ProgramStats stats_of(const ExportedProgram& program, const StatsOptions& options = {});

/// A function that returns why a backend cannot run a node of `graph`, or an empty string if it can.
using OperatorSupport = std::function<std::string(const Node& node, const Graph& graph)>;

/// Returns a check for a PyTorch release such as `2.6`. A node is supported if the release has the node's
/// operator with the same arguments (their types are not checked) and has not replaced it with another
/// operator on the node's device. Operators of torchvision and torchao are assumed to exist. Throws
/// UsageError if the release's operators are unknown.
OperatorSupport supported_by_torch(std::string_view release);

/// Returns a check for Core ATen, the operators with PyTorch's tag `core` in the release that the operator
/// table is from. Functions on numbers and symbols, and higher-order operators, also count as supported. Only
/// a node's target is checked.
OperatorSupport supported_by_core_aten();

/// Returns a check for the operators listed in `text`, one per line. An operator can be written as
/// `aten.add.Tensor`, `torch.ops.aten.add.Tensor` or `aten::add.Tensor`. A name without an overload, e.g.
/// `aten.add`, includes all overloads. Comments start with `#`. Only a node's target is checked. Messages
/// refer to the text as `name`. Throws DataError if a line is malformed, in which case the message begins
/// with `NAME:LINE: `, or if the text lists no operator.
OperatorSupport supported_by_list(std::string_view text, std::string_view name);

/// Returns the line number of each name in such a list that no operator has, because it is misspelled or
/// lacks its namespace, and a message such as `unknown operator 'mm.default', did you mean
/// 'aten.mm.default'?`. Operators of namespaces that are not in the operator table are assumed to exist.
/// Throws DataError if supported_by_list() does.
std::vector<std::pair<std::size_t, std::string>> unknown_names(std::string_view text, std::string_view name);

/// The number of calls to an operator with tensors of these dtypes.
struct OperatorDtypes {
  std::vector<ScalarType> arguments;  // the distinct dtypes of all tensors in the arguments, in order
  std::vector<ScalarType> results;
  std::size_t nodes = 0;
};

/// An operator that a program calls.
struct OperatorUse {
  std::string target;  // Node.target, e.g. `torch.ops.aten.add.Tensor`
  std::size_t nodes = 0;
  std::vector<OperatorDtypes> dtypes;  // most frequent first
  /// Why the first node in `missing_nodes` is not supported; empty if all nodes are supported.
  std::string missing;
  /// The unsupported nodes. A node is identified by its first result, or by its name if it has no result. If
  /// a node is in a subgraph, the node that takes the subgraph and the subgraph's name come first, e.g.
  /// `getitem/true_graph_0/sin`, as in DiagramNode::name.
  std::vector<std::string> missing_nodes;
  /// The operators that replace this one in torch's run_decompositions(); see Operator::decomposes_to.
  /// nullopt if the operator does not decompose or is unknown.
  std::optional<std::vector<std::string>> decomposes_to;
};

/// Returns the operators that the graphs of `program` call, most frequent first, then by target. `support`
/// decides which nodes are unsupported; without it, all nodes are supported.
std::vector<OperatorUse> operator_report(const ExportedProgram& program, const OperatorSupport& support = {});

}  // namespace pt2
