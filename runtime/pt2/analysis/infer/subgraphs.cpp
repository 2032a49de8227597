// Results of operators that run subgraphs.
#include "pt2/analysis/infer/rules.h"

#include <utility>

#include "pt2/versions/graph/index.h"

namespace pt2 {
namespace {

const Argument& input(const InferredCall& call, std::size_t at) {
  require(at < call.node.inputs.size(), "an argument is missing");
  return call.node.inputs[at].arg;
}

const Graph& subgraph(const InferredCall& call, std::size_t at) {
  const auto* const argument = input(call, at).get_if<Argument::as_graph>();
  require(argument != nullptr, "a subgraph is missing");
  return *argument->graph;
}

/// The type of an output of a graph, which is a value or a literal.
ValueType output_type(const Graph& graph, const Argument& output) {
  std::string name;
  for_each_slot(output, [&](const std::string* value, ValueName::Table) {
    if (value != nullptr) name = *value;
  });
  const ValueMeta meta = find_value(graph, name);
  if (meta.tensor != nullptr) {
    TensorType type(*meta.tensor);
    return contiguous_like(type, type.sizes);
  }
  if (meta.sym_int != nullptr) return *meta.sym_int;
  if (meta.sym_float != nullptr) return *meta.sym_float;
  if (meta.sym_bool != nullptr) return *meta.sym_bool;
  require(output.is<Argument::as_none>(), "a subgraph gives a literal");
  return std::monostate();
}

std::vector<ValueType> output_types(const Graph& graph) {
  std::vector<ValueType> types;
  for (const Argument& output : graph.outputs) types.push_back(output_type(graph, output));
  return types;
}

void require_same(const std::vector<ValueType>& a, const std::vector<ValueType>& b) {
  require(a.size() == b.size(), "the subgraphs give different numbers of values");
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto* const left = std::get_if<TensorType>(&a[i]);
    const auto* const right = std::get_if<TensorType>(&b[i]);
    const bool is_same = a[i].index() == b[i].index() &&
                         (left == nullptr || (left->dtype == right->dtype && left->sizes == right->sizes));
    require(is_same, "the subgraphs give values of different types");
  }
}

std::vector<ValueType> cond(const InferredCall& call) {
  std::vector<ValueType> types = output_types(subgraph(call, 1));
  require_same(types, output_types(subgraph(call, 2)));
  return types;
}

/// The values that are carried stay of the types that they had.
std::vector<ValueType> while_loop(const InferredCall& call) {
  const Graph& body = subgraph(call, 1);
  std::vector<ValueType> carried = output_types(body);
  require(body.inputs.size() >= carried.size(), "the body gives more values than it takes");
  std::vector<ValueType> before;
  for (std::size_t i = 0; i < carried.size(); ++i) before.push_back(output_type(body, body.inputs[i]));
  require_same(before, carried);
  return carried;
}

/// Each result has a first dim more: one for each item of the first dim of what is mapped over.
std::vector<ValueType> map(const InferredCall& call) {
  const auto* const mapped = input(call, 1).get_if<Argument::as_tensors>();
  require(mapped != nullptr && !mapped->empty(), "there is no list of tensors to map over");
  const TensorType first = call.type_of(mapped->front().name);
  require(!first.sizes.empty(), "a scalar cannot be mapped over");
  std::vector<ValueType> types;
  for (const ValueType& type : output_types(subgraph(call, 0))) {
    const auto* const item = std::get_if<TensorType>(&type);
    require(item != nullptr, "what is mapped gives a value that is no tensor");
    std::vector<Size> sizes = item->sizes;
    sizes.insert(sizes.begin(), first.sizes.front());
    types.emplace_back(contiguous_like(*item, std::move(sizes)));
  }
  return types;
}

}  // namespace

const NamedRules& subgraph_rules() {
  static const NamedRules rules = {
      {"higher_order.cond", cond}, {"higher_order.while_loop", while_loop}, {"higher_order.map_impl", map}};
  return rules;
}

}  // namespace pt2
