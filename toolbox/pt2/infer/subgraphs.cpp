#include "pt2/infer/rules.h"

#include "pt2/graph/index.h"
#include "schemagen/base/counted.h"

namespace pt2 {
namespace {

const Argument& input(const InferredCall& call, std::size_t at) {
  if (at >= call.node.inputs.size()) {
    fail_inference("expected at least ", schemagen::counted(at + 1, "argument"), ", got ",
                   call.node.inputs.size());
  }
  return call.node.inputs[at].arg;
}

const Graph& subgraph(const InferredCall& call, std::size_t at) {
  const auto* const argument = input(call, at).get_if<Argument::as_graph>();
  if (argument == nullptr) fail_inference("argument ", at, ": expected a subgraph");
  return *argument->graph;
}

ValueType output_type(const Graph& graph, const Argument& output) {
  std::string name;
  for_each_name(output, [&](const std::string& value) { name = value; });
  const ValueMeta meta = find_value(graph, name);
  if (meta.tensor != nullptr) {
    require_few(meta.tensor->sizes.size(), kMostDims, " dims");
    require_few(meta.tensor->strides.size(), kMostDims, " dims");
    return TensorType(*meta.tensor);
  }
  if (meta.sym_int != nullptr) return *meta.sym_int;
  if (meta.sym_float != nullptr) return *meta.sym_float;
  if (meta.sym_bool != nullptr) return *meta.sym_bool;
  require(output.is<Argument::as_none>(), "expected subgraph outputs to be values or None, got a literal");
  return std::monostate();
}

Results output_types(const Graph& graph) {
  require_few(graph.outputs.size(), kMostTensors, " tensors");
  return mapped(graph.outputs, [&](const Argument& output) { return output_type(graph, output); });
}

void require_same(const Results& a, const Results& b) {
  if (a.size() != b.size())
    fail_inference("the two subgraphs have ", a.size(), " and ", b.size(), " outputs");
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto* const left = std::get_if<TensorType>(&a[i]);
    const auto* const right = std::get_if<TensorType>(&b[i]);
    const bool is_same = a[i].index() == b[i].index() &&
                         (left == nullptr || (left->dtype == right->dtype && left->sizes == right->sizes));
    if (!is_same) fail_inference("the two subgraphs differ in the type of output ", i);
  }
}

Results contiguous_types(Results types) {
  for (ValueType& type : types) {
    auto* const tensor = std::get_if<TensorType>(&type);
    if (tensor != nullptr) type = contiguous_like(*tensor, tensor->sizes);
  }
  return types;
}

/// They run their subgraph unchanged, in another mode.
Results wrapped(const InferredCall& call) {
  for (const NamedArgument& argument : call.node.inputs) {
    if (const auto* const graph = argument.arg.get_if<Argument::as_graph>())
      return output_types(*graph->graph);
  }
  fail_inference("expected a subgraph among the arguments");
}

Results with_effects(const InferredCall& call) {
  const auto* const token = input(call, 0).get_if<Argument::as_tensor>();
  const auto* const target = input(call, 1).get_if<Argument::as_operator>();
  const Operator* const op = target == nullptr ? nullptr : find_operator(*target);
  if (token == nullptr || op == nullptr) return {};
  Results types = {call.type_of(token->name)};
  if (op->returns.empty()) return types;
  Node ordered;
  ordered.target = *target;
  for (std::size_t i = 2; i < call.node.inputs.size() && i - 2 < op->arguments.size(); ++i) {
    NamedArgument given = call.node.inputs[i];
    if (given.name.empty()) given.name = op->arguments[i - 2].name;
    ordered.inputs.push_back(std::move(given));
  }
  const auto results = infer_results(ordered, *op, call.graph, call.hints, {}, &call.texts);
  if (!results) return {};
  types.insert(types.end(), results->begin(), results->end());
  return types;
}

Results cond(const InferredCall& call) {
  Results types = contiguous_types(output_types(subgraph(call, 1)));
  require_same(types, output_types(subgraph(call, 2)));
  return types;
}

/// Carried values keep their types.
Results while_loop(const InferredCall& call) {
  const Graph& body = subgraph(call, 1);
  Results carried = contiguous_types(output_types(body));
  if (body.inputs.size() < carried.size()) {
    fail_inference("expected a body with at least ", schemagen::counted(carried.size(), "input"), ", got ",
                   body.inputs.size());
  }
  Results before;
  for (std::size_t i = 0; i < carried.size(); ++i) before.push_back(output_type(body, body.inputs[i]));
  require_same(before, carried);
  return carried;
}

/// Returns the types of the outputs of a subgraph that runs `count` times, from the output `first` on.
Results stacked_types(const Graph& graph, const Size& count, std::size_t first = 0) {
  Results types = output_types(graph);
  for (std::size_t i = first; i < types.size(); ++i) {
    const auto* const item = std::get_if<TensorType>(&types[i]);
    require(item != nullptr, "expected all outputs of the mapped subgraph to be tensors");
    types[i] = contiguous_like(*item, concat({count}, item->sizes));
  }
  return types;
}

Size first_size(const InferredCall& call, std::size_t at) {
  const auto* const items = input(call, at).get_if<Argument::as_tensors>();
  if (items == nullptr || items->empty())
    fail_inference("argument ", at, ": expected a non-empty list of tensors");
  const TensorType first = call.type_of(items->front().name);
  require_min_rank(first, 1);
  return first.sizes.front();
}

Results map(const InferredCall& call) {
  return stacked_types(subgraph(call, 0), first_size(call, 1));
}

/// The last values that are carried on, then what the steps return.
Results scan(const InferredCall& call) {
  const auto* const carried = input(call, 1).get_if<Argument::as_tensors>();
  const Size count = first_size(call, 2);
  return contiguous_types(stacked_types(subgraph(call, 0), count, carried == nullptr ? 0 : carried->size()));
}

Results stacked_loop(const InferredCall& call) {
  const Results carried = while_loop(call);
  const auto* const first = carried.empty() ? nullptr : std::get_if<TensorType>(&carried.front());
  if (first == nullptr) return {};
  return stacked_types(subgraph(call, 1), call.size_from_data(0, first->sizes.size() + 1));
}

}  // namespace

NamedRules subgraph_rules() {
  return {
      {cond, "higher_order.cond"},
      {while_loop, "higher_order.while_loop"},
      {map, "higher_order.map_impl"},
      {scan, "higher_order.scan"},
      {stacked_loop, "higher_order.while_loop_stack_output"},
      {with_effects, "higher_order.with_effects"},
      {wrapped,
       "higher_order.wrap higher_order.wrap_with_set_grad_enabled higher_order.wrap_with_autocast "
       "higher_order.invoke_subgraph higher_order.invoke_quant higher_order.invoke_quant_packed "
       "higher_order.tag_activation_checkpoint "
       "higher_order.wrap_activation_checkpoint higher_order.strict_mode higher_order.hints_wrapper"},
  };
}

}  // namespace pt2
