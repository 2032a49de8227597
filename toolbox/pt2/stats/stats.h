// What a program is, in numbers and names, what running it costs: multiply-adds, and the memory of its
// values; and which operators something must have to run it.
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

/// An input that the caller passes, or an output that the caller gets.
struct SummaryValue {
  std::string name;                     // of the value; a literal as Python writes it
  std::string type;                     // see type_text() and tensor_type_text(); empty for literals
  std::optional<std::string> constant;  // of an input whose value the export fixed: the literal
};

/// Tensors of one kind that a program has.
struct TensorCount {
  std::size_t tensors = 0;
  std::int64_t elements = 0;  // of those whose size is known
  std::int64_t bytes = 0;     // of those whose size is known
  std::size_t unsized = 0;    // tensors with symbolic sizes, without a known dtype, or that are in no table
};

/// Kinds of specs, and operators, with how often they occur.
template <class Spec>
using KindCounts = std::vector<std::pair<typename Spec::Kind, std::size_t>>;
using Counts = std::vector<std::pair<std::string, std::size_t>>;

struct ProgramSummary {
  std::vector<SummaryValue> user_inputs;
  std::vector<SummaryValue> user_outputs;
  KindCounts<InputSpec> other_inputs;  // in the order of the kinds: {InputSpec::parameter, 4}
  KindCounts<OutputSpec> other_outputs;

  // Tensors that share their storage are counted each.
  TensorCount parameters;
  TensorCount buffers;                 // persistent: those of the state dict
  TensorCount non_persistent_buffers;  // kept among the constants
  TensorCount constants;

  std::size_t nodes = 0;      // those of subgraphs included
  std::size_t subgraphs = 0;  // at all depths
  Counts operators;           // of all graphs: the most frequent first, then by name
};

/// The summary of `program`. Inputs and outputs that the signature does not have are left out.
ProgramSummary summarize(const ExportedProgram& program);

/// How many nodes `graph` and its subgraphs have.
std::size_t count_nodes(const Graph& graph);

/// What nodes are put together by.
enum class StatsKey { operators, modules, nodes };

struct StatsOptions {
  StatsKey by = StatsKey::operators;
  Bindings bindings;  // of symbols; those without a value stay in the results
  OperatorSet operators;
};

/// Costs of the nodes of one operator, module or name. Of nodes in subgraphs each counts once, but of the
/// branches of a `cond` only in their own rows. A module has the nodes of all its calls, those of the modules
/// in it and of the subgraphs of its nodes included, so that the row of the root has all.
struct StatsRow {
  std::string key;  // an operator without `torch.ops.`, the path of a module (of the root: empty), or a
                    // node's first output
  std::size_t nodes = 0;
  Polynomial multiply_adds;
  Polynomial bytes;  // of their results, see ProgramStats::value_bytes
};

struct ProgramStats {
  std::int64_t parameters = 0;  // elements; those of symbolic size not among them
  std::int64_t parameter_bytes = 0;
  std::int64_t buffer_bytes = 0;  // persistent or not
  /// See multiply_adds(). A loop's body counts once; of a `cond`, the branch that takes more, or, where
  /// symbols do not let that be told, both.
  Polynomial multiply_adds;
  std::map<std::string, std::size_t> not_counted;  // operators that nobody has a formula for: their nodes
  /// Of all results of nodes. Those that may be views have no memory of their own, nor have those without a
  /// known dtype.
  Polynomial value_bytes;
  /// The most that lives at once, each value from its node to the last that uses it or a view of it.
  /// nullopt: some size has a symbol without a value.
  std::optional<std::int64_t> peak_bytes;
  std::vector<StatsRow> by;  // the most multiply-adds first, then the most bytes; symbolic ones by their text
};

/// Errors: DataError if a node does not fit its operator, a size cannot be read, or a number leaves 64 bits.
ProgramStats stats_of(const ExportedProgram& program, const StatsOptions& options = {});

/// What has operators, and not all: says why it cannot do what a node calls; empty: it can.
using OperatorSupport = std::function<std::string(const Node& node)>;

/// PyTorch of `release`, `2.6`: whether it has the operator of a node, and takes its arguments, of whose
/// types nothing is said. Operators of torchvision and torchao are taken to be there. Errors: UsageError if
/// the operators of this release are not known.
OperatorSupport supported_by_torch(std::string_view release);

/// Core ATen: the operators with PyTorch's tag `core`, of the release whose schemas are known. Functions of
/// numbers and symbols, and higher-order operators, stand beside these and are let pass. Of a node only its
/// target is looked at.
OperatorSupport supported_by_core_aten();

/// The operators of a text with one name in each line: `aten.add.Tensor`, also as `torch.ops.aten.add.Tensor`
/// or `aten::add.Tensor`; without an overload, `aten.add`, all overloads. What follows a `#` is skipped.
/// Of a node only its target is looked at. `name` is what messages call the text. Errors: DataError,
/// `NAME:LINE: what is wrong`.
OperatorSupport supported_by_list(std::string_view text, std::string_view name);

/// How often an operator is called with tensors of these dtypes.
struct OperatorDtypes {
  std::vector<ScalarType> arguments;  // of all tensors among them: each dtype once, in order
  std::vector<ScalarType> results;
  std::size_t nodes = 0;
};

/// An operator that a program calls.
struct OperatorUse {
  std::string target;  // as nodes name it: `torch.ops.aten.add.Tensor`
  std::size_t nodes = 0;
  std::vector<OperatorDtypes> dtypes;  // the most frequent first
  std::string missing;                 // why the first of `missing_nodes` cannot be done; empty: all can
  /// Those that cannot be done, by their first results or, without any, their names; in a subgraph, those of
  /// its holder and of the graph come first: `getitem/true_graph_0/sin`, as DiagramNode::name has it.
  std::vector<std::string> missing_nodes;
  /// What is left where torch's run_decompositions() has run, see Operator::decomposes_to; nullopt: the
  /// operator itself, or it is not known.
  std::optional<std::vector<std::string>> decomposes_to;
};

/// The operators that the nodes of all graphs of `program` call, the most frequent first, then by target, and
/// which of them are missing where `support` is asked; if it is empty, none is.
std::vector<OperatorUse> operator_report(const ExportedProgram& program, const OperatorSupport& support = {});

}  // namespace pt2
