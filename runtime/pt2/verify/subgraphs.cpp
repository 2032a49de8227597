// Subgraphs: they take and give as many values as the node that has them.
#include <algorithm>
#include <array>
#include <optional>

#include "pt2/graph/value_slots.h"
#include "pt2/schema_info.h"
#include "pt2/verify/check.h"

namespace pt2 {
namespace {

constexpr std::string_view kHigherOrderPrefix = "torch.ops.higher_order.";

/// How many results a node has: lists count with all that is in them.
std::size_t result_count(const Node& node) {
  std::size_t count = 0;
  for (const Argument& output : node.outputs) {
    for_each_slot(output, [&](const auto*, ValueName::Table) { ++count; });
  }
  return count;
}

/// The length of a list; nullopt: it is none.
std::optional<std::size_t> list_size(const Argument& argument) {
  using A = Argument;
  if (const auto* items = argument.get_if<A::as_tensors>()) return items->size();
  if (const auto* items = argument.get_if<A::as_optional_tensors>()) return items->size();
  if (const auto* items = argument.get_if<A::as_nested_tensors>()) return items->size();
  if (const auto* items = argument.get_if<A::as_ints>()) return items->size();
  if (const auto* items = argument.get_if<A::as_floats>()) return items->size();
  if (const auto* items = argument.get_if<A::as_bools>()) return items->size();
  if (const auto* items = argument.get_if<A::as_strings>()) return items->size();
  if (const auto* items = argument.get_if<A::as_sym_ints>()) return items->size();
  if (const auto* items = argument.get_if<A::as_sym_floats>()) return items->size();
  if (const auto* items = argument.get_if<A::as_sym_bools>()) return items->size();
  return std::nullopt;
}

/// A list among a node's inputs whose items are operands of its subgraph.
struct OperandList {
  std::size_t input = 0;
  std::size_t times = 0;  // how often each item is one; 0: there is no such list
};

/// What a subgraph has an output for.
enum class Outputs { results, first_list, condition };

/// How a higher-order operator calls one of its subgraphs: with the items of lists, or with all inputs from
/// one on.
struct SubgraphCall {
  std::string_view name;  // of the operator
  std::uint32_t graph;    // the input that it is
  std::array<OperandList, 3> lists;
  std::size_t rest;  // the first input of those that are operands; 0: lists hold them
  Outputs outputs;
};

constexpr SubgraphCall operands_in_lists(std::string_view name, std::uint32_t graph,
                                         std::array<OperandList, 3> lists,
                                         Outputs outputs = Outputs::results) {
  return {name, graph, lists, 0, outputs};
}
constexpr SubgraphCall operands_from(std::size_t first, std::string_view name, std::uint32_t graph) {
  return {name, graph, {}, first, Outputs::results};
}

/// Source: torch/_higher_order_ops of torch 2.13, by what each of them calls its callable with.
constexpr SubgraphCall kSubgraphCalls[] = {
    operands_in_lists("associative_scan", 0, {{{1, 2}, {2, 1}}}),  // of two elements
    operands_in_lists("cond", 1, {{{3, 1}}}),
    operands_in_lists("cond", 2, {{{3, 1}}}),
    operands_in_lists("hints_wrapper", 0, {{{1, 1}}}),
    operands_from(2, "invoke_subgraph", 0),
    operands_from(1, "local_map_hop", 0),
    operands_in_lists("map_impl", 0, {{{1, 1}, {2, 1}}}),
    operands_in_lists("run_const_graph", 0, {{{1, 1}}}),
    operands_in_lists("scan", 0, {{{1, 1}, {2, 1}, {3, 1}}}),
    operands_in_lists("strict_mode", 0, {{{1, 1}}}),
    operands_from(1, "tag_activation_checkpoint", 0),
    operands_in_lists("while_loop", 0, {{{2, 1}, {3, 1}}}, Outputs::condition),
    operands_in_lists("while_loop", 1, {{{2, 1}, {3, 1}}}, Outputs::first_list),
    operands_in_lists("while_loop_stack_output", 0, {{{2, 1}, {3, 1}}}, Outputs::condition),
    operands_in_lists("while_loop_stack_output", 1, {{{2, 1}, {3, 1}}}, Outputs::first_list),
    operands_from(1, "wrap", 0),
    operands_from(1, "wrap_activation_checkpoint", 0),
    operands_from(5, "wrap_with_autocast", 4),
    operands_from(2, "wrap_with_set_grad_enabled", 1),
};

class SubgraphCheck {
 public:
  SubgraphCheck(Check& check, const NodePlace& place, const SubgraphCall& call)
      : check_(check), place_(place), call_(call), inputs_(place.node.inputs) {}

  void run() {
    if (call_.graph >= inputs_.size()) return add_missing(call_.graph, "a subgraph");
    const auto* const graph = inputs_[call_.graph].arg.get_if<Argument::as_graph>();
    if (graph == nullptr) return add_missing(call_.graph, "a subgraph");
    for (const OperandList& list : call_.lists) {
      if (list.times != 0 && list.input >= inputs_.size()) return add_missing(list.input, "the operands");
    }
    const std::optional<std::size_t> operands = operand_count();
    if (!operands) return;
    expect("an input", *operands, "operands", graph->graph->inputs.size());
    switch (call_.outputs) {
      case Outputs::results:
        return expect("an output", result_count(place_.node), "results of the node",
                      graph->graph->outputs.size());
      case Outputs::first_list:
        return expect("an output", *list_size(inputs_[call_.lists[0].input].arg), "carried operands",
                      graph->graph->outputs.size());
      case Outputs::condition:
        return expect("an output", 1, "condition", graph->graph->outputs.size());
    }
  }

 private:
  /// nullopt: an older release called the operator with something else.
  std::optional<std::size_t> operand_count() const {
    std::size_t count = 0;
    if (call_.rest != 0) {
      const auto is_operand = [](const NamedArgument& input) { return input.name.empty(); };
      const auto first = inputs_.begin() + static_cast<std::ptrdiff_t>(std::min(call_.rest, inputs_.size()));
      return static_cast<std::size_t>(std::count_if(first, inputs_.end(), is_operand));
    }
    for (const OperandList& list : call_.lists) {
      if (list.times == 0) continue;
      const std::optional<std::size_t> size = list_size(inputs_[list.input].arg);
      if (!size) return std::nullopt;
      count += list.times * *size;
    }
    return count;
  }

  void add_missing(std::size_t input, const char* what) {
    check_.add("SUBGRAPH_ARITY", check_.path_of(place_.scope, place_.number) + ".inputs",
               std::string("expected ") + what + " at position " + std::to_string(input));
  }

  void expect(const char* what, std::size_t expected, const char* of_what, std::size_t found) {
    if (found == expected) return;
    check_.add("SUBGRAPH_ARITY", check_.path_of_input(place_.scope, place_.number, call_.graph) + ".as_graph",
               std::string("expected ") + what + " for each of the " + std::to_string(expected) + " " +
                   of_what + ", found " + std::to_string(found));
  }

  Check& check_;
  const NodePlace& place_;
  const SubgraphCall& call_;
  const std::vector<NamedArgument>& inputs_;
};

void check_single_return(Check& check, const Check::Scope& scope) {
  const Graph& graph = scope.index.graph();
  if (!graph.is_single_tensor_return) return;
  const auto add = [&](const std::string& message) {
    check.add("SINGLE_RETURN", check.path_of(scope) + ".is_single_tensor_return", message);
  };
  if (scope.argument == nullptr) {
    add("expected the top graph to return a list");
  } else if (graph.outputs.size() != 1) {
    add("expected one output, found " + std::to_string(graph.outputs.size()));
  } else if (!graph.outputs[0].is<Argument::as_tensor>()) {
    add("expected a tensor as the output, found " + std::string(name_of(graph.outputs[0].kind())));
  }
}

void check_graph_name(Check& check, const Check::Scope& scope) {
  if (scope.argument == nullptr || !scope.argument->name.empty()) return;
  check.add("NAME_EMPTY", check.path_of(scope), "a subgraph without a name");
}

}  // namespace

void check_scope(Check& check, const Check::Scope& scope) {
  check_single_return(check, scope);
  check_graph_name(check, scope);
}

void check_subgraphs(Check& check, const NodePlace& place) {
  if (place.op == nullptr || place.op->kind != OperatorKind::higher_order) return;
  const std::string_view name = std::string_view(place.op->target).substr(kHigherOrderPrefix.size());
  for (const SubgraphCall& call : kSubgraphCalls) {
    if (call.name == name) SubgraphCheck(check, place, call).run();
  }
}

}  // namespace pt2
