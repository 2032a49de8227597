// Results of einsum. Source: einsum() and sumproduct_pair() of aten/src/ATen/native/Linear.cpp.
#include "pt2/infer/rules.h"

#include <algorithm>
#include <utility>

#include "schemagen/base/error.h"

namespace pt2 {
namespace {

constexpr char kEllipsis = '.';  // stands for each dim that no letter names

/// The letters of each operand and of the result, with as many dots as `...` stands for.
struct Equation {
  std::vector<std::string> operands;
  std::string result;
};

std::size_t count_dots(const std::string& labels) {
  return static_cast<std::size_t>(std::count(labels.begin(), labels.end(), kEllipsis));
}

/// `text` with `count` dots in place of `...`.
std::string with_dots(std::string text, std::size_t count) {
  const std::size_t at = text.find("...");
  if (at != text.npos) text.replace(at, 3, count, kEllipsis);
  return text;
}

Equation parse_equation(std::string text, const std::vector<TensorType>& tensors) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  const std::size_t arrow = text.find("->");
  Equation equation;
  std::size_t dots = 0;
  const std::string all_labels = text.substr(0, arrow) + ",";
  for (std::size_t at = 0, comma = 0; (comma = all_labels.find(',', at)) != text.npos; at = comma + 1) {
    const std::string labels = all_labels.substr(at, comma - at);
    require(equation.operands.size() < tensors.size(),
            "an equation has more operands than there are tensors");
    const std::size_t rank = tensors[equation.operands.size()].sizes.size();
    const std::size_t named = labels.find("...") == labels.npos ? labels.size() : labels.size() - 3;
    require(named <= rank, "an equation names more dims than a tensor has");
    equation.operands.push_back(with_dots(labels, rank - named));
    require(equation.operands.back().size() == rank, "an equation names fewer dims than a tensor has");
    dots = std::max(dots, count_dots(equation.operands.back()));
  }
  require(equation.operands.size() == tensors.size(),
          "an equation has fewer operands than there are tensors");
  if (arrow != text.npos) {
    equation.result = with_dots(text.substr(arrow + 2), dots);
    return equation;
  }
  std::string all;
  for (const std::string& labels : equation.operands) all += labels;
  std::sort(all.begin(), all.end());
  equation.result.assign(dots, kEllipsis);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_alone = (i == 0 || all[i - 1] != all[i]) && (i + 1 == all.size() || all[i + 1] != all[i]);
    if (all[i] != kEllipsis && is_alone) equation.result += all[i];
  }
  return equation;
}

/// `tensor` with a dim for each of `order`, of size 1 where it has none.
TensorType arranged(const TensorType& tensor, const std::string& labels, const std::string& order) {
  TensorType result = tensor;
  result.sizes.assign(order.size(), Size(1));
  result.strides.assign(order.size(), Size(0));
  std::size_t dots = count_dots(order) - count_dots(labels);  // those of fewer dims are the last
  std::size_t next_dot = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::size_t at = labels.find(order[i]);
    if (order[i] == kEllipsis) {
      if (dots > 0) {
        --dots;
        continue;
      }
      at = labels.find(kEllipsis) + next_dot++;
    }
    for (std::size_t dim = at; dim < labels.size(); ++dim) {
      if (dim != at && (order[i] == kEllipsis || labels[dim] != order[i])) continue;
      result.sizes[i] = tensor.sizes[dim];
      result.strides[i] = result.strides[i] + tensor.strides[dim];  // of a diagonal, all of them
    }
  }
  return result;
}

/// The product of both, summed over the dims that `is_summed`; those stay with size 1.
TensorType multiplied(const InferredCall& call, const TensorType& a, const TensorType& b,
                      const std::vector<bool>& is_summed) {
  if (std::find(is_summed.begin(), is_summed.end(), true) == is_summed.end()) {
    return combined({a, b}, promote(a.dtype, b.dtype), call.hints);
  }
  std::vector<std::size_t> groups[4];  // of both, of the left one, of sums, of the right one
  std::vector<Size> sizes(a.sizes.size());
  for (std::size_t i = 0; i < a.sizes.size(); ++i) {
    const bool is_left = !a.sizes[i].is(1);
    const bool is_right = !b.sizes[i].is(1);
    groups[is_summed[i] ? 2 : is_left && is_right ? 0 : is_left ? 1 : 3].push_back(i);
    sizes[i] = is_summed[i] ? Size(1) : is_left ? a.sizes[i] : b.sizes[i];
  }
  TensorType result = contiguous_like(a, sizes);
  Size stride = 1;
  for (std::size_t group = 4; group-- > 0;) {
    for (auto dim = groups[group].rbegin(); dim != groups[group].rend(); ++dim) {
      result.strides[*dim] = stride;
      stride = stride * sizes[*dim];
    }
  }
  return result;
}

std::vector<ValueType> einsum(const InferredCall& call) {
  const std::vector<TensorType> tensors = call.tensors("tensors");
  require(!tensors.empty(), "there is no tensor");
  if (call.declares("path") && call.has("path") && tensors.size() > 2) return {};  // in another order
  const Equation equation = parse_equation(call.arguments.get_string("equation"), tensors);
  std::string order = equation.result;
  std::string summed;
  for (const std::string& labels : equation.operands) summed += labels;
  std::sort(summed.begin(), summed.end());
  for (const char c : summed) {
    if (c != kEllipsis && order.find(c) == order.npos) order += c;
  }
  require_dims(order.size());  // which each operand is given
  require(count_dots(equation.result) > 0 || summed.find(kEllipsis) == summed.npos,
          "the dims of ... are summed up");
  std::vector<TensorType> operands;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    operands.push_back(arranged(tensors[i], equation.operands[i], order));
  }
  std::vector<std::size_t> last(order.size());  // by dim: the last operand that has it
  for (std::size_t i = 0; i < operands.size(); ++i) {
    for (std::size_t dim = 0; dim < order.size(); ++dim) {
      if (!operands[i].sizes[dim].is(1)) last[dim] = i;
    }
  }
  const std::size_t kept = equation.result.size();
  TensorType result = operands.front();
  for (std::size_t i = 1; i < operands.size(); ++i) {
    std::vector<bool> is_summed(order.size());
    for (std::size_t dim = kept; dim < order.size(); ++dim) {
      const bool is_last = last[dim] <= i;
      const bool in_left = !result.sizes[dim].is(1);
      const bool in_right = !operands[i].sizes[dim].is(1);
      is_summed[dim] = is_last && in_left && in_right;
      if (!is_last || in_left == in_right) continue;
      TensorType& only = in_left ? result : operands[i];  // it is summed up before
      std::vector<Size> sizes = only.sizes;
      sizes[dim] = 1;
      only = contiguous_like(only, std::move(sizes));
    }
    result = multiplied(call, result, operands[i], is_summed);
  }
  const bool is_one = operands.size() == 1 && kept < order.size();
  result.sizes.resize(kept);
  result.strides.resize(kept);
  if (is_one) result = contiguous_like(result, result.sizes);
  return {result};
}

}  // namespace

const NamedRules& einsum_rules() {
  static const NamedRules rules = {{"einsum", einsum}};
  return rules;
}

}  // namespace pt2
