#include "pt2/stats/stats.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <limits>
#include <set>

#include "pt2/graph/effects.h"
#include "pt2/graph/signature.h"
#include "pt2/graph/walk.h"
#include "pt2/nodes/modules.h"
#include "pt2/stats/multiply_adds.h"
#include "pt2/strings/argument_text.h"
#include "pt2/text/numbers.h"
#include "pt2/text/type_names.h"

namespace pt2 {
namespace {

struct Cost {
  Polynomial multiply_adds;
  std::optional<std::int64_t> peak_bytes = 0;
};

struct Lifetimes {
  struct Memory {
    std::size_t first;
    std::size_t last;
    std::optional<std::int64_t> bytes;
  };

  void begin(const std::string& name, std::size_t node, std::optional<std::int64_t> bytes) {
    owners[name] = memories.size();
    memories.push_back({node, node, bytes});
  }
  void share(const std::string& name, std::string_view base) {
    if (const auto* const owner = owners.find(base)) owners[name] = std::size_t(*owner);
  }
  void use(std::string_view name, std::size_t node) {
    if (const auto* const owner = owners.find(name)) memories[*owner].last = node;
  }
  void need(std::size_t node, std::optional<std::int64_t> bytes) { memories.push_back({node, node, bytes}); }

  std::optional<std::int64_t> peak(std::size_t nodes) const {
    std::vector<Polynomial> changes(nodes + 1);  // live bytes before each node; Polynomial checks overflow
    for (const Memory& memory : memories) {
      if (!memory.bytes) return std::nullopt;
      changes[memory.first] += *memory.bytes;
      if (memory.last < nodes) changes[memory.last + 1] += -*memory.bytes;
    }
    Polynomial now;
    std::int64_t most = 0;
    for (const Polynomial& change : changes) most = std::max(most, (now += change).number().value_or(0));
    return most;
  }

  schemagen::Map<std::size_t> owners = {};
  std::vector<Memory> memories = {};
};

/// Inside torch.vmap, the type of a value describes one item of the batch.
struct Batches {
  static constexpr std::size_t kLevels = 64;  // as in torch
  using Levels = std::bitset<kLevels>;

  /// Returns for how many items a node computes. Must be called for each node of a graph, in order.
  Polynomial lanes(const Node& node, const Graph& graph, const Bindings& bindings) {
    Levels levels;
    for_each_name(node.inputs, [&](const std::string& name) {
      if (const Levels* const found = known.find(name)) levels |= *found;
    });
    if (node.target == "torch._functorch.predispatch._add_batch_dim") {
      add_level(node, graph, bindings, levels);
    } else if (node.target == "torch._functorch.predispatch._remove_batch_dim") {
      if (const auto level = number_at(node, 1)) levels.reset(*level);
    }
    if (levels.none()) return around;
    for_each_name(node.outputs, [&](const std::string& name) { known[name] = levels; });
    Polynomial lanes = around;
    for (std::size_t level = 0; level < kLevels; ++level) {
      if (levels.test(level)) lanes *= sizes[level];
    }
    return lanes;
  }

  static std::optional<std::size_t> number_at(const Node& node, std::size_t input,
                                              std::size_t limit = kLevels) {
    const auto* const number =
        input < node.inputs.size() ? node.inputs[input].arg.get_if<Argument::as_int>() : nullptr;
    if (number == nullptr || *number < 0 || static_cast<std::uint64_t>(*number) >= limit) return std::nullopt;
    return static_cast<std::size_t>(*number);
  }

  void add_level(const Node& node, const Graph& graph, const Bindings& bindings, Levels& levels) {
    const auto* const self = node.inputs.empty() ? nullptr : node.inputs[0].arg.get_if<Argument::as_tensor>();
    const TensorMeta* const meta = self == nullptr ? nullptr : graph.tensor_values.find(self->name);
    const auto dim = meta == nullptr ? std::nullopt : number_at(node, 1, meta->sizes.size());
    const auto level = number_at(node, 2);
    if (!dim || !level) return;
    sizes[*level] = Polynomial(meta->sizes[*dim], bindings);
    levels.set(*level);
  }

  const Polynomial& around;
  std::array<Polynomial, kLevels> sizes = {};
  schemagen::Map<Levels> known = {};
};

class Statistics {
 public:
  /// `inputs` are the weights that count.
  Statistics(const GraphModule& module, const ExportedProgram& inputs, const StatsOptions& options)
      : options_(options), main_(&module.graph), modules_(module.graph.nodes.size()) {
    if (options.by == StatsKey::modules) {
      for (const ModuleCall& call : module_calls(module)) {
        for (const std::size_t node : call.nodes) modules_[node].insert(call.path);
      }
    }
    for (const InputSpec& spec : module.signature.input_specs) {
      const auto* const parameter = spec.get_if<InputSpec::parameter>();
      if (parameter != nullptr) targets_.insert(parameter->arg.name, parameter->parameter_name);
    }
    for (const InputSpec& spec : inputs.graph_module.signature.input_specs) {
      const auto* const parameter = spec.get_if<InputSpec::parameter>();
      const TensorMeta* const meta =
          parameter == nullptr ? nullptr : main_->tensor_values.find(parameter->arg.name);
      const std::optional<std::int64_t> count = meta == nullptr ? std::nullopt : element_count(*meta);
      if (count) elements_.insert(parameter->parameter_name, *count);
    }
  }

  /// A graph whose nodes run for `lanes` items each.
  Cost add(const Graph& graph, const Polynomial& lanes) {
    Cost cost;
    Lifetimes lifetimes;
    Batches batches{lanes};
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) add(graph, i, cost, lifetimes, batches);
    for_each_name(graph.outputs, [&](const std::string& name) { lifetimes.use(name, graph.nodes.size()); });
    cost.peak_bytes = lifetimes.peak(graph.nodes.size());
    return cost;
  }

  ProgramStats finish() {
    for (auto& entry : rows_) result_.by.push_back(std::move(entry.value));
    std::stable_sort(result_.by.begin(), result_.by.end(), [](const StatsRow& a, const StatsRow& b) {
      return std::pair(estimate(a.multiply_adds), estimate(a.bytes)) >
             std::pair(estimate(b.multiply_adds), estimate(b.bytes));
    });
    return std::move(result_);
  }

 private:
  /// With 64, a typical size, for every symbol.
  static double estimate(const Polynomial& cost) {
    double sum = 0;
    for (const auto& [powers, coefficient] : cost.terms()) {
      int degree = 0;
      for (const auto& [symbol, power] : powers) degree += power;
      sum += static_cast<double>(coefficient) * std::pow(64.0, degree);
    }
    return sum;
  }

  std::set<std::string> keys_of(const Node& node) const {
    if (options_.by == StatsKey::modules) return modules_[main_node_];
    const std::string* const name = options_.by == StatsKey::nodes ? first_name(node.outputs) : nullptr;
    return {name == nullptr || name->empty() ? operator_text(node.target) : *name};
  }

  void add(const Graph& graph, std::size_t index, Cost& cost, Lifetimes& lifetimes, Batches& batches) {
    const Node& node = graph.nodes[index];
    const Polynomial lanes = batches.lanes(node, graph, options_.bindings);
    if (&graph == main_) main_node_ = index;
    const Operator* const op = options_.operators.find(node.target);
    std::optional<Polynomial> own = multiply_adds(node, graph, options_.bindings, op);
    if (own) {
      *own *= lanes;
      cost.multiply_adds += *own;
    } else {
      ++result_.not_counted[operator_text(node.target)];
    }
    for_each_name(node.inputs, [&](const std::string& name) { lifetimes.use(name, index); });
    const Polynomial bytes = add_outputs(graph, index, op, lifetimes, lanes);
    result_.value_bytes += bytes;
    for (const std::string& key : keys_of(node)) {
      StatsRow& row = rows_[key];
      row.key = key;
      if (&graph == main_) add_parameters(node, row);
      ++row.nodes;
      if (own) row.multiply_adds += *own;
      row.bytes += bytes;
    }
    add_subgraphs(node, index, cost, lifetimes, lanes);
  }

  void add_parameters(const Node& node, StatsRow& row) {
    for_each_name(node.inputs, [&](const std::string& name) {
      const std::string* const target = targets_.find(name);
      const std::int64_t* const count = target == nullptr ? nullptr : elements_.find(*target);
      if (count == nullptr || !counted_.emplace(row.key, *target).second) return;
      row.parameters = checked_sum(row.parameters, *count).value_or(std::numeric_limits<std::int64_t>::max());
    });
  }

  Polynomial add_outputs(const Graph& graph, std::size_t index, const Operator* op, Lifetimes& lifetimes,
                         const Polynomial& lanes) {
    const Node& node = graph.nodes[index];
    const std::string* const base = shared_input(node, op);
    Polynomial total;
    for_each_name(node.outputs, [&](const std::string& name, ValueName::Table table) {
      if (table != ValueName::Table::tensors) return;
      if (base != nullptr) return lifetimes.share(name, *base);
      Polynomial bytes = bytes_of(graph, name);
      bytes *= lanes;
      lifetimes.begin(name, index, bytes.number());
      total += bytes;
    });
    return total;
  }

  static const std::string* shared_input(const Node& node, const Operator* op) {
    if (op == nullptr) return nullptr;
    const std::string* base = nullptr;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (!may_return_view_of(node, i, op)) continue;
      for_each_name(node.inputs[i], [&](const std::string& name, ValueName::Table table) {
        if (base == nullptr && table == ValueName::Table::tensors) base = &name;
      });
    }
    return base;
  }

  Polynomial bytes_of(const Graph& graph, const std::string& name) const {
    const TensorMeta* const meta = graph.tensor_values.find(name);
    const auto size = meta == nullptr ? std::nullopt : element_bytes(meta->dtype);
    if (!size) return 0;
    Polynomial bytes(*size);
    for (const SymInt& dimension : meta->sizes) bytes *= Polynomial(dimension, options_.bindings);
    return bytes;
  }

  void add_subgraphs(const Node& node, std::size_t index, Cost& cost, Lifetimes& lifetimes,
                     const Polynomial& lanes) {
    std::vector<Cost> costs;
    for_each_subgraph(node,
                      [&](const GraphArgument& subgraph) { costs.push_back(add(*subgraph.graph, lanes)); });
    if (costs.empty()) return;
    std::optional<std::int64_t> peak = 0;
    for (const Cost& each : costs) {
      peak = peak && each.peak_bytes ? std::optional(std::max(*peak, *each.peak_bytes)) : std::nullopt;
    }
    lifetimes.need(index, peak);
    const bool is_choice = node.target == "torch.ops.higher_order.cond";
    const bool has_numbers = std::all_of(
        costs.begin(), costs.end(), [](const Cost& each) { return each.multiply_adds.number().has_value(); });
    if (is_choice && has_numbers) {
      std::int64_t most = 0;
      for (const Cost& each : costs) most = std::max(most, *each.multiply_adds.number());
      cost.multiply_adds += most;
    } else {
      for (const Cost& each : costs) cost.multiply_adds += each.multiply_adds;
    }
  }

  const StatsOptions& options_;
  ProgramStats result_;
  schemagen::Map<StatsRow> rows_;
  const Graph* main_;
  std::size_t main_node_ = 0;
  std::vector<std::set<std::string>> modules_;
  schemagen::Map<std::string> targets_;                    // of parameters, by name in the graph
  schemagen::Map<std::int64_t> elements_;                  // by target
  std::set<std::pair<std::string, std::string>> counted_;  // key of a row, and target
};

/// Without nodes, and weights that share their target or are in `tied`.
ExportedProgram without_repeated(const ExportedProgram& program, const std::vector<std::string>& tied) {
  ExportedProgram inputs;
  const Graph& graph = program.graph_module.graph;
  schemagen::Map<bool> known;
  for (const std::string& name : tied) known.try_emplace(name);
  for (const InputSpec& spec : program.graph_module.signature.input_specs) {
    const auto parts = parts_of(spec);
    if (parts.target == nullptr || parts.name == nullptr || !known.try_emplace(*parts.target).second)
      continue;
    inputs.graph_module.signature.input_specs.push_back(spec);
    const TensorMeta* const meta = graph.tensor_values.find(*parts.name);
    if (meta != nullptr) inputs.graph_module.graph.tensor_values.insert(*parts.name, *meta);
  }
  return inputs;
}

}  // namespace

ProgramStats stats_of(const ExportedProgram& program, const StatsOptions& options) {
  const ExportedProgram inputs = without_repeated(program, options.tied);
  Statistics statistics(program.graph_module, inputs, options);
  Cost cost = statistics.add(program.graph_module.graph, 1);
  ProgramStats stats = statistics.finish();
  stats.multiply_adds = std::move(cost.multiply_adds);
  stats.peak_bytes = cost.peak_bytes;
  const ProgramSummary summary = summarize(inputs);
  stats.parameters = summary.parameters.elements;
  stats.parameter_bytes = summary.parameters.bytes;
  stats.buffer_bytes = summary.buffers.bytes + summary.non_persistent_buffers.bytes;
  return stats;
}

}  // namespace pt2
