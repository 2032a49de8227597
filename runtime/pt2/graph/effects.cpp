#include "pt2/graph/effects.h"

#include <algorithm>
#include <numeric>

#include "pt2/operators/higher_order.h"
#include "pt2/text/affix.h"

namespace pt2 {
namespace {

bool may_be_written(const OperatorArgument& argument) {
  return argument.may_be_written || (argument.alias && argument.alias->is_write);
}

const OperatorArgument* argument_of(const Operator& op, const Node& node, std::size_t index) {
  const std::string& name = node.inputs[index].name;
  const std::size_t at = name.empty() ? index : argument_position(op, name);
  return at < op.arguments.size() ? &op.arguments[at] : nullptr;
}

bool any_node_has_effects(const Node& node, const OperatorSet& operators) {
  bool found = false;
  for_each_subgraph(node, [&](const GraphArgument& subgraph) {
    for (const Node& inner : subgraph.graph->nodes) found = found || has_effects(inner, operators);
  });
  return found;
}

bool have_common_set(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& set) {
    return set == "*" || std::any_of(b.begin(), b.end(),
                                     [&](const std::string& other) { return other == "*" || other == set; });
  });
}

bool shares_memory(const std::optional<OperatorAlias>& argument, const std::optional<OperatorAlias>& result) {
  if (!argument || !result) return false;
  return have_common_set(argument->before, result->before) ||
         (argument->after && have_common_set(*argument->after, result->before));
}

}  // namespace

bool has_effects(const Node& node, const OperatorSet& operators) {
  const Operator* const op = operators.find(node.target);
  if (op == nullptr || op->has_effects || has_tag(*op, OperatorTag::nondeterministic_seeded)) return true;
  if (op->kind == OperatorKind::higher_order) return any_node_has_effects(node, operators);
  return std::any_of(op->arguments.begin(), op->arguments.end(), may_be_written);
}

bool writes_input(const Node& node, std::size_t index, const Operator* op) {
  if (op == nullptr || op->kind == OperatorKind::higher_order) return true;
  const OperatorArgument* const argument = argument_of(*op, node, index);
  return argument == nullptr || may_be_written(*argument);
}

bool is_barrier(const Node& node) {
  if (starts_with(node.target, kOperatorPrefix)) return false;
  const Operator* const op = find_operator(node.target);
  return op == nullptr || op->has_effects;
}

bool may_return_view_of(const Node& node, std::size_t index, const Operator* op) {
  if (op == nullptr || op->kind == OperatorKind::higher_order || op->may_return_inputs) return true;
  const OperatorArgument* const argument = argument_of(*op, node, index);
  if (argument == nullptr) return true;
  return std::any_of(op->returns.begin(), op->returns.end(), [&](const OperatorReturn& result) {
    return shares_memory(argument->alias, result.alias);
  });
}

MemoryGroups::MemoryGroups(const GraphIndex& values, const OperatorSet& operators) : parents_(values.size()) {
  std::iota(parents_.begin(), parents_.end(), 0u);
  for (std::uint32_t node = 0; node < values.node_count(); ++node) {
    const Node& viewing = values.graph().nodes[node];
    const Operator* const op = operators.find(viewing.target);
    for (const GraphIndex::Use& use : values.uses(node)) {
      if (!may_return_view_of(viewing, use.input, op)) continue;
      for (auto output = values.outputs_begin(node); output < values.outputs_end(node); ++output)
        parents_[find(output)] = find(use.value);
    }
  }
}

}  // namespace pt2
