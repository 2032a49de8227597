#include "pt2/analysis/stats/multiply_adds.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/analysis/graph/arguments.h"
#include "pt2/versions/graph/effects.h"
#include "pt2/versions/graph/walk.h"

namespace pt2 {
namespace {

using Shape = std::vector<Polynomial>;

Polynomial product(const Shape& shape, std::size_t from = 0) {
  Polynomial result(1);
  for (std::size_t i = from; i < shape.size(); ++i) result *= shape[i];
  return result;
}

/// A tensor whose shape the graph does not tell, or a shape that does not fit the operator.
struct UnknownShape {};

/// A node's operands, by the names of its operator's schema, and its results.
class Call {
 public:
  Call(const Node& node, const Graph& graph, const Bindings& bindings, const Operator& op)
      : node_(node), graph_(graph), bindings_(bindings), arguments_(node, op) {}

  /// Of at least `rank` dimensions.
  Shape shape(std::string_view argument, std::size_t rank) const {
    return shape_of(arguments_.tensor(argument), rank);
  }
  Shape result() const {
    if (node_.outputs.empty() || !node_.outputs[0].is<Argument::as_tensor>()) throw UnknownShape();
    return shape_of(node_.outputs[0].get<Argument::as_tensor>().name, 0);
  }
  bool flag(std::string_view argument) const { return arguments_.get_bool(argument); }
  std::vector<bool> flags(std::string_view argument) const { return arguments_.get_bools(argument); }

 private:
  Shape shape_of(const std::string& name, std::size_t rank) const {
    const TensorMeta* const meta = graph_.tensor_values.find(name);
    if (meta == nullptr || meta->sizes.size() < rank) throw UnknownShape();
    Shape shape;
    for (const SymInt& size : meta->sizes) shape.emplace_back(size, bindings_);
    return shape;
  }

  const Node& node_;
  const Graph& graph_;
  const Bindings& bindings_;
  NodeArguments arguments_;
};

/// Each element of the result sums over the last dimension of `left`.
template <const char* left>
Polynomial matrix_product(const Call& call) {
  return product(call.result()) * call.shape(left, 1).back();
}

/// Each element of the result (of a transposed one: of the input) meets each weight of its channel.
Polynomial convolution(const Call& call, bool is_transposed) {
  return product(is_transposed ? call.shape("input", 2) : call.result()) *
         product(call.shape("weight", 3), 1);
}
Polynomial forward_convolution(const Call& call) {
  return convolution(call, false);
}
Polynomial transposed_convolution(const Call& call) {
  return convolution(call, true);
}
Polynomial either_convolution(const Call& call) {
  return convolution(call, call.flag("transposed"));
}

Polynomial convolution_backward(const Call& call) {
  const std::vector<bool> wanted = call.flags("output_mask");
  const Shape gradient = call.shape("grad_output", 3);
  const Shape input = call.shape("input", 3);
  const Shape weight = call.shape("weight", 3);
  const bool is_transposed = call.flag("transposed");
  Polynomial result;
  if (!wanted.empty() && wanted[0]) {
    result += product(is_transposed ? input : gradient) * product(weight, 1);
  }
  if (wanted.size() > 1 && wanted[1]) {
    // As torch counts it: groups do not make it less.
    result +=
        (is_transposed ? product(input) * gradient[1] : product(gradient) * input[1]) * product(weight, 2);
  }
  return result;
}

/// Queries times keys `by_keys` times, scores times values `by_values` times.
Polynomial attention(const Call& call, std::int64_t by_keys, std::int64_t by_values) {
  Shape query = call.shape("query", 2);
  const Shape key = call.shape("key", 2);
  const Shape value = call.shape("value", 2);
  const Polynomial width = query.back();
  query.pop_back();
  return product(query) * key[key.size() - 2] * (width * by_keys + value.back() * by_values);
}
Polynomial attention_forward(const Call& call) {
  return attention(call, 1, 1);
}
Polynomial attention_backward(const Call& call) {
  return attention(call, 3, 2);
}

constexpr char kSelf[] = "self";
constexpr char kInput[] = "input";
constexpr char kMat1[] = "mat1";
constexpr char kBatch1[] = "batch1";

struct Formula {
  std::string_view name;  // of the operator, its overloads among them
  Polynomial (*count)(const Call&);
};

constexpr Formula kFormulas[] = {
    {"mm", matrix_product<kSelf>},
    {"mv", matrix_product<kSelf>},
    {"dot", matrix_product<kSelf>},
    {"bmm", matrix_product<kSelf>},
    {"matmul", matrix_product<kSelf>},
    {"_scaled_mm", matrix_product<kSelf>},
    {"addmm", matrix_product<kMat1>},
    {"baddbmm", matrix_product<kBatch1>},
    {"linear", matrix_product<kInput>},
    {"conv1d", forward_convolution},
    {"conv2d", forward_convolution},
    {"conv3d", forward_convolution},
    {"conv_transpose1d", transposed_convolution},
    {"conv_transpose2d", transposed_convolution},
    {"conv_transpose3d", transposed_convolution},
    {"convolution", either_convolution},
    {"_convolution", either_convolution},
    {"convolution_backward", convolution_backward},
    {"scaled_dot_product_attention", attention_forward},
    {"_scaled_dot_product_flash_attention", attention_forward},
    {"_scaled_dot_product_flash_attention_for_cpu", attention_forward},
    {"_scaled_dot_product_efficient_attention", attention_forward},
    {"_scaled_dot_product_cudnn_attention", attention_forward},
    {"_scaled_dot_product_flash_attention_backward", attention_backward},
    {"_scaled_dot_product_flash_attention_for_cpu_backward", attention_backward},
    {"_scaled_dot_product_efficient_attention_backward", attention_backward},
    {"_scaled_dot_product_cudnn_attention_backward", attention_backward},
};

const Formula* find_formula(std::string_view target) {
  constexpr std::string_view kAten = "torch.ops.aten.";
  if (target.substr(0, kAten.size()) != kAten) return nullptr;
  target.remove_prefix(kAten.size());
  const std::string_view name = target.substr(0, target.find('.'));
  const auto* const found = std::find_if(std::begin(kFormulas), std::end(kFormulas),
                                         [&](const Formula& formula) { return formula.name == name; });
  return found == std::end(kFormulas) ? nullptr : found;
}

bool has_tensor(const Argument& output) {
  bool has_tensor = false;
  for_each_slot(output, [&](const std::string*, ValueName::Table table) {
    has_tensor = has_tensor || table == ValueName::Table::tensors;
  });
  return has_tensor;
}

bool has_no_products(const Node& node, const Operator& op) {
  if (op.kind == OperatorKind::function || has_tag(op, OperatorTag::pointwise)) return true;
  if (!std::any_of(node.outputs.begin(), node.outputs.end(),
                   [](const Argument& output) { return has_tensor(output); })) {
    return true;
  }
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (may_return_view_of(node, i, &op)) return true;
  }
  return false;
}

}  // namespace

std::optional<Polynomial> multiply_adds(const Node& node, const Graph& graph, const Bindings& bindings,
                                        const Operator* op) {
  if (op == nullptr) return std::nullopt;
  if (const Formula* const formula = find_formula(node.target)) {
    try {
      return formula->count(Call(node, graph, bindings, *op));
    } catch (const UnknownShape&) {
      return std::nullopt;
    }
  }
  if (has_no_products(node, *op)) return Polynomial(0);
  return std::nullopt;
}

}  // namespace pt2
