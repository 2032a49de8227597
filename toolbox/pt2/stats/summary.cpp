#include "pt2/stats/stats.h"

#include <algorithm>
#include <limits>

#include "pt2/graph/signature.h"
#include "pt2/graph/walk.h"
#include "pt2/strings/argument_text.h"
#include "pt2/strings/node_text.h"
#include "pt2/text/literal.h"
#include "pt2/text/numbers.h"
#include "pt2/text/type_names.h"

namespace pt2 {
namespace {

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  return checked_sum(a, b).value_or(std::numeric_limits<std::int64_t>::max());
}

void add_tensor(TensorCount& count, const Graph& graph, const std::string& name) {
  ++count.tensors;
  const TensorMeta* const meta = graph.tensor_values.find(name);
  const std::optional<std::int64_t> elements = meta != nullptr ? element_count(*meta) : std::nullopt;
  const std::optional<std::int64_t> size = meta != nullptr ? element_bytes(meta->dtype) : std::nullopt;
  const auto bytes = elements && size ? checked_product(*elements, *size) : std::nullopt;
  if (!bytes) {
    ++count.unsized;
    return;
  }
  count.elements = saturating_add(count.elements, *elements);
  count.bytes = saturating_add(count.bytes, *bytes);
}

SummaryValue user_value(const Graph& graph, const Argument& argument) {
  const bool has_type = refers_to_values(argument);
  return {argument_text(argument), has_type ? argument_text(argument, types_in(graph)) : "", std::nullopt};
}

template <class Spec>
KindCounts<Spec> count_kinds(const std::vector<Spec>& specs, const std::vector<typename Spec::Kind>& but) {
  std::map<typename Spec::Kind, std::size_t> counts;
  for (const Spec& spec : specs) ++counts[spec.kind()];
  counts.erase(Spec::unset);
  for (const typename Spec::Kind kind : but) counts.erase(kind);
  return {counts.begin(), counts.end()};
}

void summarize_input(ProgramSummary& summary, const Graph& graph, const InputSpec& spec) {
  const auto parts = parts_of(spec);
  if (parts.constant != nullptr) {
    summary.user_inputs.push_back({printable(*parts.name), "", constant_text(*parts.constant)});
  } else if (parts.argument != nullptr) {
    summary.user_inputs.push_back(user_value(graph, *parts.argument));
  } else if (parts.kind == InputSpec::parameter) {
    add_tensor(summary.parameters, graph, *parts.name);
  } else if (parts.kind == InputSpec::buffer) {
    add_tensor(*parts.persistent ? summary.buffers : summary.non_persistent_buffers, graph, *parts.name);
  } else if (parts.kind == InputSpec::tensor_constant) {
    add_tensor(summary.constants, graph, *parts.name);
  }
}

}  // namespace

ProgramSummary summarize(const ExportedProgram& program) {
  const Graph& graph = program.graph_module.graph;
  const GraphSignature& signature = program.graph_module.signature;
  ProgramSummary summary;
  for (const InputSpec& spec : signature.input_specs) summarize_input(summary, graph, spec);
  for (const OutputSpec& spec : signature.output_specs) {
    const Argument* const user_output = parts_of(spec).argument;
    if (user_output != nullptr) summary.user_outputs.push_back(user_value(graph, *user_output));
  }
  summary.other_inputs =
      count_kinds(signature.input_specs, {InputSpec::user_input, InputSpec::constant_input});
  summary.other_outputs = count_kinds(signature.output_specs, {OutputSpec::user_output});
  std::map<std::string, std::size_t> counts;
  for_each_graph(graph, [&](const Graph& each) {
    summary.nodes += each.nodes.size();
    summary.subgraphs += &each == &graph ? 0 : 1;
    for (const Node& node : each.nodes) ++counts[operator_text(node.target)];
  });
  summary.operators.assign(counts.begin(), counts.end());
  std::stable_sort(summary.operators.begin(), summary.operators.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return summary;
}

std::size_t count_nodes(const Graph& graph) {
  std::size_t nodes = 0;
  for_each_graph(graph, [&](const Graph& each) { nodes += each.nodes.size(); });
  return nodes;
}

}  // namespace pt2
