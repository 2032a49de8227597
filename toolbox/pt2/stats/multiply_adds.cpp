#include "pt2/stats/multiply_adds.h"

#include <algorithm>
#include <limits>
#include <set>

#include "pt2/graph/effects.h"
#include "pt2/graph/walk.h"
#include "pt2/nodes/arguments.h"
#include "pt2/nodes/einsum_equation.h"
#include "pt2/text/affix.h"
#include "pt2/text/words.h"
#include "schemagen/base/error.h"

namespace pt2 {
namespace {

using Shape = std::vector<Polynomial>;

Polynomial product(const Shape& shape, std::size_t from = 0) {
  Polynomial result(1);
  for (std::size_t i = from; i < shape.size(); ++i) result *= shape[i];
  return result;
}

struct UnknownShape {};

struct CountedCall {
  const Node& node;
  const Graph& graph;
  const Bindings& bindings;
  const Operator& op;
  const std::string_view words;  // Formula::words
  const NodeArguments arguments = NodeArguments(node, op);

  bool has(std::string_view argument) const { return argument_position(op, argument) < op.arguments.size(); }
  Shape shape(std::string_view argument, std::size_t rank) const {
    return shape_of(arguments.tensor(argument), rank);
  }
  Shape result() const {
    if (node.outputs.empty() || !node.outputs[0].is<Argument::as_tensor>()) throw UnknownShape();
    return shape_of(node.outputs[0].get<Argument::as_tensor>().name, 0);
  }
  std::vector<Shape> shapes(std::string_view argument) const {
    std::vector<Shape> shapes;
    for (const std::string& name : arguments.tensors(argument)) shapes.push_back(shape_of(name, 0));
    return shapes;
  }

  Shape shape_of(const std::string& name, std::size_t rank) const {
    const TensorMeta* const meta = graph.tensor_values.find(name);
    if (meta == nullptr || meta->sizes.size() < rank) throw UnknownShape();
    Shape shape;
    for (const SymInt& size : meta->sizes) shape.emplace_back(size, bindings);
    return shape;
  }
};

/// By words: the left operand.
Polynomial matrix_product(const CountedCall& call) {
  return product(call.result()) * call.shape(call.words, 1).back();
}

/// Each element of the result (transposed: of the input) is multiplied by each weight of its channel. By
/// words: whether it is transposed, unless an argument says it.
Polynomial convolution(const CountedCall& call) {
  const bool is_transposed =
      call.has("transposed") ? call.arguments.get_bool("transposed") : call.words == "transposed";
  return product(is_transposed ? call.shape("input", 2) : call.result()) *
         product(call.shape("weight", 3), 1);
}

Polynomial convolution_backward(const CountedCall& call) {
  const std::vector<bool> wanted = call.arguments.get_bools("output_mask");
  const Shape gradient = call.shape("grad_output", 3);
  const Shape input = call.shape("input", 3);
  const Shape weight = call.shape("weight", 3);
  const bool is_transposed = call.arguments.get_bool("transposed");
  Polynomial result;
  if (!wanted.empty() && wanted[0]) {
    result += product(is_transposed ? input : gradient) * product(weight, 1);
  }
  if (wanted.size() > 1 && wanted[1]) {
    // As in torch, groups do not reduce the count.
    result +=
        (is_transposed ? product(input) * gradient[1] : product(gradient) * input[1]) * product(weight, 2);
  }
  return result;
}

Polynomial attention(const CountedCall& call) {
  const bool is_backward = call.words == "backward";
  Shape query = call.shape("query", 2);
  const Shape key = call.shape("key", 2);
  const Shape value = call.shape("value", 2);
  const Polynomial width = query.back();
  query.pop_back();
  return product(query) * key[key.size() - 2] *
         (width * (is_backward ? 3 : 1) + value.back() * (is_backward ? 2 : 1));
}

Polynomial tensor_dot(const CountedCall& call) {
  Polynomial result = product(call.result());
  const Shape left = call.shape("self", 0);
  for (const std::int64_t dim : call.arguments.get_ints("dims_self")) {
    const std::int64_t at = dim < 0 ? dim + static_cast<std::int64_t>(left.size()) : dim;
    if (at < 0 || at >= static_cast<std::int64_t>(left.size())) throw UnknownShape();
    result *= left[static_cast<std::size_t>(at)];
  }
  return result;
}

/// Groups that are parts of a dimension add up to that dimension.
Polynomial grouped_matrix_product(const CountedCall& call) {
  const Shape left = call.shape("self", 2);
  const Shape right = call.shape("mat2", 2);
  if (left.size() == 2 && right.size() == 2) return product(left) * right.back();
  return product(call.result()) * left.back();
}

/// In the cheapest order, which torch chooses.
Polynomial chain_of_products(const CountedCall& call) {
  std::vector<Shape> matrices = call.shapes("tensors");
  if (matrices.size() < 2) return 0;
  if (matrices.front().size() == 1) matrices.front().insert(matrices.front().begin(), Polynomial(1));
  if (matrices.back().size() == 1) matrices.back().emplace_back(1);
  std::vector<Polynomial> sizes;
  for (const Shape& matrix : matrices) {
    if (matrix.size() != 2) throw UnknownShape();
    if (sizes.empty()) sizes.push_back(matrix[0]);
    sizes.push_back(matrix[1]);
  }
  const std::size_t count = matrices.size();
  if (count == 2) return product(sizes);
  std::vector<std::vector<std::int64_t>> least(count, std::vector<std::int64_t>(count));
  for (std::size_t length = 1; length < count; ++length) {
    for (std::size_t i = 0; i + length < count; ++i) {
      const std::size_t j = i + length;
      least[i][j] = std::numeric_limits<std::int64_t>::max();
      for (std::size_t k = i; k < j; ++k) {
        const auto whole = (sizes[i] * sizes[k + 1] * sizes[j + 1] + least[i][k] + least[k + 1][j]).number();
        if (!whole) throw UnknownShape();  // the best order depends on symbols
        least[i][j] = std::min(least[i][j], *whole);
      }
    }
  }
  return least.front().back();
}

EinsumEquation equation_of(const std::string& text, const std::vector<std::size_t>& ranks) {
  try {
    return parse_einsum(text, ranks);
  } catch (const schemagen::DataError&) {
    throw UnknownShape();
  }
}

/// As in torch, from left to right. Multiplies matrices over common dimensions that nothing later needs;
/// elementwise products do not count.
Polynomial einsum(const CountedCall& call) {
  const std::vector<Shape> shapes = call.shapes("tensors");
  std::vector<std::size_t> ranks;
  for (const Shape& shape : shapes) ranks.push_back(shape.size());
  const EinsumEquation equation = equation_of(call.arguments.get_string("equation"), ranks);
  const Polynomial one = 1;
  std::map<char, Polynomial> sizes;
  std::vector<std::set<char>> letters(shapes.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (std::size_t dim = 0; dim < shapes[i].size(); ++dim) {
      if (shapes[i][dim] == one) continue;
      sizes[equation.operands[i][dim]] = shapes[i][dim];
      letters[i].insert(equation.operands[i][dim]);
    }
  }
  Polynomial result;
  std::set<char> so_far = letters.empty() ? std::set<char>() : letters.front();
  for (std::size_t i = 1; i < letters.size(); ++i) {
    Polynomial cost(1);
    std::set<char> rest;
    bool is_contracted = false;
    std::set<char> both = so_far;
    both.insert(letters[i].begin(), letters[i].end());
    for (const char letter : both) {
      const bool is_common = so_far.count(letter) != 0 && letters[i].count(letter) != 0;
      const bool is_needed = equation.result.find(letter) != std::string::npos ||
                             std::any_of(letters.begin() + static_cast<std::ptrdiff_t>(i) + 1, letters.end(),
                                         [&](const auto& later) { return later.count(letter) != 0; });
      if (is_needed) rest.insert(letter);
      if (is_needed || is_common) cost *= sizes.at(letter);
      is_contracted = is_contracted || (is_common && !is_needed);
    }
    if (is_contracted) result += cost;
    so_far = std::move(rest);
  }
  return result;
}

Polynomial recurrent(const CountedCall& call) {
  const bool is_cell = call.has("w_ih");
  Shape steps = call.shape(call.has("data") ? "data" : "input", 1);
  const std::vector<Shape> weights =
      is_cell ? std::vector<Shape>{call.shape("w_ih", 2), call.shape("w_hh", 2)} : call.shapes("params");
  Polynomial all;
  for (const Shape& weight : weights) {
    if (weight.size() == 2) all += product(weight);  // skips biases
  }
  steps.pop_back();
  return product(steps) * all;
}

Polynomial nothing(const CountedCall&) {
  return 0;
}

struct Formula {
  Polynomial (*count)(const CountedCall&);
  std::string_view names;
  std::string_view words = {};  // what the formula must know about these operators
};

constexpr Formula kFormulas[] = {
    {matrix_product, "mm mv dot bmm matmul inner _int_mm _scaled_mm", "self"},
    {matrix_product, "addmm", "mat1"},
    {matrix_product, "baddbmm", "batch1"},
    {matrix_product, "linear", "input"},
    {matrix_product, "addmv", "mat"},
    {tensor_dot, "tensordot"},
    {einsum, "einsum"},
    {chain_of_products, "linalg_multi_dot"},
    {grouped_matrix_product, "_grouped_mm"},
    {recurrent, "lstm gru rnn_tanh rnn_relu lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell"},
    {convolution, "conv1d conv2d conv3d convolution _convolution"},
    {convolution, "conv_transpose1d conv_transpose2d conv_transpose3d", "transposed"},
    {convolution_backward, "convolution_backward"},
    {attention,
     "scaled_dot_product_attention _scaled_dot_product_flash_attention "
     "_scaled_dot_product_flash_attention_for_cpu _scaled_dot_product_efficient_attention "
     "_scaled_dot_product_cudnn_attention"},
    {attention,
     "_scaled_dot_product_flash_attention_backward _scaled_dot_product_flash_attention_for_cpu_backward "
     "_scaled_dot_product_efficient_attention_backward _scaled_dot_product_cudnn_attention_backward",
     "backward"},
    {nothing, "copy fill zero"},
};

constexpr std::string_view kAten = "torch.ops.aten.";

const Formula* find_formula(std::string_view target) {
  if (!starts_with(target, kAten)) return nullptr;
  target.remove_prefix(kAten.size());
  std::string_view name = target.substr(0, target.find('.'));
  if (ends_with(name, "_") && !starts_with(name, "__")) name.remove_suffix(1);
  for (const Formula& formula : kFormulas) {
    if (has_word(formula.names, name)) return &formula;
  }
  return nullptr;
}

const Operator* functional_form(const std::string& target, const Operator& op) {
  if (!has_tag(op, OperatorTag::inplace) || !starts_with(target, kAten)) return nullptr;
  const std::size_t dot = target.find('.', kAten.size());
  if (dot == std::string::npos || target[dot - 1] != '_') return nullptr;
  return find_operator(target.substr(0, dot - 1) + target.substr(dot));
}

/// Results may be views, and inputs stay unchanged.
bool is_view(const Node& node, const Operator& op) {
  if (op.may_return_inputs || has_tag(op, OperatorTag::inplace_view)) return true;
  const bool writes = std::any_of(
      op.arguments.begin(), op.arguments.end(),
      [](const OperatorArgument& argument) { return argument.alias && argument.alias->is_write; });
  if (writes) return false;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (may_return_view_of(node, i, &op)) return true;
  }
  return false;
}

bool has_no_products(const Node& node, const Operator& op) {
  if (op.kind == OperatorKind::function || has_tag(op, OperatorTag::pointwise)) return true;
  bool has_tensor = false;
  for (const Argument& output : node.outputs) {
    for_each_slot(output, [&](const std::string*, ValueName::Table table) {
      has_tensor = has_tensor || table == ValueName::Table::tensors;
    });
  }
  if (!has_tensor) return true;
  const Operator* const functional = functional_form(node.target, op);
  return is_view(node, op) || (functional != nullptr && has_tag(*functional, OperatorTag::pointwise));
}

}  // namespace

std::optional<Polynomial> multiply_adds(const Node& node, const Graph& graph, const Bindings& bindings,
                                        const Operator* op) {
  if (op == nullptr) return std::nullopt;
  if (const Formula* const formula = find_formula(node.target)) {
    try {
      return formula->count(CountedCall{node, graph, bindings, *op, formula->words});
    } catch (const UnknownShape&) {
      return std::nullopt;
    }
  }
  if (has_no_products(node, *op)) return Polynomial(0);
  return std::nullopt;
}

}  // namespace pt2
