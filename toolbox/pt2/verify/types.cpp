#include "pt2/verify/check.h"

#include <algorithm>

#include "pt2/graph/walk.h"
#include "pt2/infer/infer_types.h"
#include "pt2/infer/vmaps.h"
#include "pt2/strings/argument_text.h"
#include "schemagen/base/error.h"

namespace pt2 {
namespace {

Autocast autocast_of(const Check& check, const Check::Scope& scope) {
  if (scope.argument == nullptr) return {};
  const Check::Scope& around = check.index().scopes()[scope.parent];
  return autocast_within(around.index.graph().nodes[scope.node], autocast_of(check, around));
}

/// check_symbols() reports malformed expressions.
Bindings valid_hints(const Graph& graph) {
  try {
    return hints_of(graph);
  } catch (const schemagen::DataError&) {
    return {};
  }
}

/// A fact about symbolic sizes that inference cannot prove may still be true.
bool has_only_numbers(const Node& node, const Graph& graph) {
  bool found = true;
  const auto is_number = [](const SymInt& size) { return size.is<SymInt::as_int>(); };
  for_each_name(node.inputs, [&](const std::string& name, ValueName::Table) {
    const TensorMeta* const meta = graph.tensor_values.find(name);
    found = found && meta != nullptr && std::all_of(meta->sizes.begin(), meta->sizes.end(), is_number) &&
            std::all_of(meta->strides.begin(), meta->strides.end(), is_number);
  });
  return found;
}

}  // namespace

void check_types(Check& check, const Check::Scope& scope, const OperatorSet& operators) {
  const Graph& graph = scope.index.graph();
  const Bindings hints = valid_hints(graph);
  const Autocast autocast = autocast_of(check, scope);
  SizeTexts texts;
  Vmaps vmaps;
  for (std::uint32_t number = 0; number < graph.nodes.size(); ++number) {
    const Node& node = graph.nodes[number];
    const Operator* const called = operators.find(node.target);
    if (called == nullptr) continue;
    const Operator& op = operators.inferred_as(*called);
    std::string fault;
    try {
      vmaps.follow(node, &op, graph, hints, texts);
    } catch (const ShapeError& error) {
      fault = error.reason();
    } catch (const schemagen::DataError&) {  // reported elsewhere
    }
    const std::vector<StaleType> found = stale_results(node, op, graph, hints, autocast, texts, &fault);
    if (!fault.empty() && has_only_numbers(node, graph)) {
      check.add(RuleId::operand_shape, check.path_of(scope, number),
                operator_text(node.target) + ": " + fault);
    }
    const std::string& torch = check.program().torch_version;
    if (found.empty() || follow_lost_autocast(torch, node, op, graph, hints, texts)) continue;
    for (const StaleType& stale : found) {
      check.add(RuleId::stale_type, check.path_of_entry(scope, ValueName::Table::tensors, stale.name),
                schemagen::quoted(stale.name) + ": expected " + tensor_type_text(stale.inferred) +
                    " from its inputs, found " + tensor_type_text(*graph.tensor_values.find(stale.name)));
    }
  }
}

}  // namespace pt2
