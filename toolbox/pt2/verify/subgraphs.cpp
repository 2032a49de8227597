#include "pt2/verify/check.h"

#include <algorithm>

#include "pt2/nodes/list_items.h"
#include "pt2/nodes/subgraph_calls.h"
#include "pt2/schema_info.h"
#include "schemagen/base/counted.h"

namespace pt2 {
namespace {

/// Counts all items of lists.
std::size_t result_count(const Node& node) {
  std::size_t count = 0;
  for (const Argument& output : node.outputs) {
    for_each_slot(output, [&](const auto*, ValueName::Table) { ++count; });
  }
  return count;
}

void check_subgraph_call(const NodePlace& place, const SubgraphCall& call) {
  const std::vector<NamedArgument>& inputs = place.node.inputs;
  const auto add_missing = [&](std::size_t input, const char* what) {
    place.add(RuleId::subgraph_arity, ".inputs",
              std::string("expected ") + what + " at position " + std::to_string(input));
  };
  const auto* const graph =
      call.graph < inputs.size() ? inputs[call.graph].arg.get_if<Argument::as_graph>() : nullptr;
  if (graph == nullptr) return add_missing(call.graph, "a subgraph");
  for (const OperandList& list : call.lists) {
    const bool is_missing = list.times != 0 && list.input >= inputs.size();
    const std::vector<OperatorArgument>& declared = place.op->arguments;
    const bool may_be_missing = list.input < declared.size() && declared[list.input].default_value;
    if (is_missing && !may_be_missing) return add_missing(list.input, "the operands");
  }
  const std::optional<std::vector<Argument>> operands = operands_of(place.node, call);
  if (!operands) return;
  const auto expect = [&](std::size_t expected, const char* cause, std::size_t found, const char* what) {
    if (found == expected) return;
    place.check.add(RuleId::subgraph_arity, place.path_of_input(call.graph) + ".as_graph",
                    "the subgraph has " + schemagen::counted(found, what) + " for " +
                        schemagen::counted(expected, cause));
  };
  const std::size_t outputs = graph->graph->outputs.size();
  expect(operands->size(), "operand", graph->graph->inputs.size(), "input");
  switch (call.outputs) {
    case SubgraphOutputs::results:
      return expect(result_count(place.node), "result", outputs, "output");
    case SubgraphOutputs::first_list:
      return expect(items_of(inputs[call.lists[0].input].arg)->size(), "carried operand", outputs, "output");
    case SubgraphOutputs::condition:
      return expect(1, "condition", outputs, "output");
  }
}

void check_single_return(Check& check, const Check::Scope& scope) {
  const Graph& graph = scope.index.graph();
  if (!graph.is_single_tensor_return) return;
  const auto add = [&](const std::string& message) {
    check.add(RuleId::single_return, check.path_of(scope) + ".is_single_tensor_return", message);
  };
  if (scope.argument == nullptr) {
    add("expected the top-level graph to return a list");
  } else if (graph.outputs.size() != 1) {
    add("expected one output, found " + std::to_string(graph.outputs.size()));
  } else if (!graph.outputs[0].is<Argument::as_tensor>()) {
    add("expected a tensor as the output, found " + std::string(name_of(graph.outputs[0].kind())));
  }
}

void check_boundary(Check& check, const Check::Scope& scope) {
  const auto check_all = [&](const std::vector<Argument>& arguments,
                             std::initializer_list<Argument::Kind> kinds, RuleId rule, const char* what) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Argument::Kind kind = arguments[i].kind();
      const auto path = [&] { return at_index(check.path_of(scope) + "." + what, i); };
      check_argument(check, arguments[i], path);
      // torch reads a symbolic number only by name.
      const bool is_literal = form_of(kind) == ArgumentForm::value && names_in(arguments[i]).empty();
      if (!is_literal && std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) continue;
      check.add(rule, path(), "expected a kind that torch reads here, found " + std::string(name_of(kind)));
    }
  };
  using A = Argument;  // unset is reported elsewhere
  // Source: deserialize_graph() in torch/_export/serde/serialize.py.
  check_all(scope.index.graph().inputs,
            {A::unset, A::as_tensor, A::as_custom_obj, A::as_int, A::as_float, A::as_bool, A::as_none,
             A::as_string, A::as_sym_int},
            RuleId::input_kind, "inputs");
  // Source: deserialize_graph_output(), same file.
  check_all(scope.index.graph().outputs,
            {A::unset, A::as_tensor, A::as_int, A::as_float, A::as_bool, A::as_none, A::as_sym_int,
             A::as_sym_float, A::as_sym_bool},
            RuleId::output_kind, "outputs");
}

}  // namespace

void check_scope(Check& check, const Check::Scope& scope) {
  check_single_return(check, scope);
  if (scope.argument != nullptr && scope.argument->name.empty())
    check.add(RuleId::name_empty, check.path_of(scope), "the subgraph has no name");
  check_boundary(check, scope);
}

void check_subgraphs(const NodePlace& place) {
  if (place.op == nullptr) return;
  for (const SubgraphCall* const call : subgraph_calls(*place.op)) check_subgraph_call(place, *call);
}

}  // namespace pt2
