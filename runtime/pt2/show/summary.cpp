#include "pt2/show/summary.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "pt2/schema_info.h"
#include "pt2/show/argument_text.h"
#include "pt2/show/tensor_type.h"
#include "schemagen/value/map.h"

namespace pt2 {
namespace {

/// Calls `visit` for `graph` and all graphs among its nodes' inputs, at any depth.
template <class Visit>
void visit_graphs(const Graph& graph, const Visit& visit);

template <class Visit>
void visit_graphs(const Argument& argument, const Visit& visit) {
  if (const auto* subgraph = argument.get_if<Argument::as_graph>()) visit_graphs(*subgraph->graph, visit);
  if (const auto* dict = argument.get_if<Argument::as_string_to_argument>()) {
    for (const auto [key, item] : *dict) visit_graphs(item, visit);
  }
}

template <class Visit>
void visit_graphs(const Graph& graph, const Visit& visit) {
  visit(graph);
  for (const Node& node : graph.nodes) {
    for (const NamedArgument& input : node.inputs) visit_graphs(input.arg, visit);
  }
}

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return a > kMost - b ? kMost : a + b;
}

void add_tensor(TensorCount& count, const Graph& graph, const TensorArgument& tensor) {
  ++count.tensors;
  const TensorMeta* const meta = graph.tensor_values.find(tensor.name);
  const std::optional<std::int64_t> elements = meta != nullptr ? element_count(*meta) : std::nullopt;
  const std::optional<std::int64_t> size = meta != nullptr ? element_bytes(meta->dtype) : std::nullopt;
  if (!elements || !size || *elements > std::numeric_limits<std::int64_t>::max() / *size) {
    ++count.unsized;
    return;
  }
  count.elements = saturating_add(count.elements, *elements);
  count.bytes = saturating_add(count.bytes, *elements * *size);
}

SummaryValue user_value(const Graph& graph, const Argument& argument) {
  SummaryValue value;
  value.name = argument_text(argument);
  bool has_type = false;
  std::string type = argument_text(argument, [&](const ValueName& name) {
    has_type = true;
    return type_text(graph, name);
  });
  if (has_type) value.type = std::move(type);
  return value;
}

/// Sorted by the number of the kind.
template <class Spec>
Counts count_kinds(const std::vector<Spec>& specs, const std::vector<typename Spec::Kind>& but) {
  std::vector<std::size_t> counts(256, 0);
  for (const Spec& spec : specs) ++counts[spec.kind()];
  for (const typename Spec::Kind kind : but) counts[kind] = 0;
  Counts result;
  for (std::size_t kind = 1; kind < counts.size(); ++kind) {
    if (counts[kind] == 0) continue;
    result.emplace_back(std::string(name_of(static_cast<typename Spec::Kind>(kind))), counts[kind]);
  }
  return result;
}

void summarize_input(ProgramSummary& summary, const Graph& graph, const InputSpec& spec) {
  switch (spec.kind()) {
    case InputSpec::user_input:
      summary.user_inputs.push_back(user_value(graph, spec.get<InputSpec::user_input>().arg));
      break;
    case InputSpec::constant_input: {
      const InputToConstantInputSpec& input = spec.get<InputSpec::constant_input>();
      summary.user_inputs.push_back(
          {name_text({ValueName::Table::tensors, input.name}), "", constant_text(input.value)});
      break;
    }
    case InputSpec::parameter:
      add_tensor(summary.parameters, graph, spec.get<InputSpec::parameter>().arg);
      break;
    case InputSpec::buffer: {
      const InputToBufferSpec& buffer = spec.get<InputSpec::buffer>();
      add_tensor(buffer.persistent ? summary.buffers : summary.non_persistent_buffers, graph, buffer.arg);
      break;
    }
    case InputSpec::tensor_constant:
      add_tensor(summary.constants, graph, spec.get<InputSpec::tensor_constant>().arg);
      break;
    case InputSpec::unset:
    case InputSpec::custom_obj:
    case InputSpec::token:
      break;
  }
}

void summarize_signature(ProgramSummary& summary, const Graph& graph, const GraphSignature& signature) {
  for (const InputSpec& spec : signature.input_specs) summarize_input(summary, graph, spec);
  for (const OutputSpec& spec : signature.output_specs) {
    if (const auto* output = spec.get_if<OutputSpec::user_output>()) {
      summary.user_outputs.push_back(user_value(graph, output->arg));
    }
  }
  summary.other_inputs =
      count_kinds(signature.input_specs, {InputSpec::user_input, InputSpec::constant_input});
  summary.other_outputs = count_kinds(signature.output_specs, {OutputSpec::user_output});
}

Counts count_operators(const Graph& graph) {
  schemagen::Map<std::size_t> counts;
  visit_graphs(graph, [&](const Graph& each) {
    for (const Node& node : each.nodes) ++counts[operator_text(node.target)];
  });
  Counts operators;
  for (const auto [name, count] : counts) operators.emplace_back(name, count);
  std::sort(operators.begin(), operators.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return operators;
}

}  // namespace

ProgramSummary summarize(const ExportedProgram& program) {
  const Graph& graph = program.graph_module.graph;
  ProgramSummary summary;
  summarize_signature(summary, graph, program.graph_module.signature);
  visit_graphs(graph, [&](const Graph& each) {
    summary.nodes += each.nodes.size();
    summary.subgraphs += &each == &graph ? 0 : 1;
  });
  summary.operators = count_operators(graph);
  return summary;
}

std::size_t count_nodes(const Graph& graph) {
  std::size_t nodes = 0;
  visit_graphs(graph, [&](const Graph& each) { nodes += each.nodes.size(); });
  return nodes;
}

}  // namespace pt2
