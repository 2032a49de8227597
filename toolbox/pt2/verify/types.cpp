// Checks that the stated types of results are those that their operators return.
#include "pt2/verify/check.h"

#include "pt2/infer/infer_types.h"
#include "pt2/strings/argument_text.h"
#include "schemagen/base/error.h"

namespace pt2 {
namespace {

/// The torch.autocast mode of a graph.
Autocast autocast_of(const Check& check, const Check::Scope& scope) {
  if (scope.argument == nullptr) return {};
  const Check::Scope& around = check.index().scopes()[scope.parent];
  return autocast_within(around.index.graph().nodes[scope.node], autocast_of(check, around));
}

/// Returns nothing for a malformed expression, which check_symbols() reports.
Bindings valid_hints(const Graph& graph) {
  try {
    return hints_of(graph);
  } catch (const schemagen::DataError&) {
    return {};
  }
}

}  // namespace

void check_types(Check& check, const Check::Scope& scope, const OperatorSet& operators) {
  const Graph& graph = scope.index.graph();
  const Bindings hints = valid_hints(graph);
  const Autocast autocast = autocast_of(check, scope);
  SizeTexts texts;
  for (const Node& node : graph.nodes) {
    const Operator* const op = operators.find(node.target);
    if (op == nullptr) continue;
    for (const StaleType& stale :
         stale_results(node, operators.inferred_as(*op), graph, hints, autocast, texts)) {
      check.add(RuleId::stale_type, check.path_of_entry(scope, ValueName::Table::tensors, stale.name),
                schemagen::quoted(stale.name) + ": expected " + tensor_type_text(stale.inferred) +
                    " from its inputs, found " + tensor_type_text(*graph.tensor_values.find(stale.name)));
    }
  }
}

}  // namespace pt2
