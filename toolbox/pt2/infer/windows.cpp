// Results of convolutions and of pooling, which go over a tensor by windows.
#include "pt2/infer/rules.h"

#include <utility>

#include "schemagen/base/error.h"

namespace pt2 {
namespace {

/// An item of a list that may have one for all dims.
const Size& at(const std::vector<Size>& list, std::size_t i) {
  require(!list.empty(), "a list of sizes is empty");
  return list.size() == 1 ? list.front() : list.at(i);
}

/// How many windows there are.
Size window_count(const Size& size, const Size& kernel, const Size& stride, const Size& padding,
                  const Size& dilation) {
  return floor_div(size + Size(2) * padding - dilation * (kernel - Size(1)) - Size(1), stride) + Size(1);
}

/// Whether the last of so many windows would begin beyond `end`, which the sizes of the sample inputs tell,
/// as in torch.
bool is_last_outside(const Size& count, const Size& stride, const Size& end, const Bindings& hints) {
  const auto start = ((count - Size(1)) * stride).hint(hints);
  const auto known_end = end.hint(hints);
  require(start && known_end, "whether the last window fits is not known without a size");
  return *start >= *known_end;
}

// ---- Convolutions ----

struct Convolution {
  TensorType input;
  TensorType weight;
  bool is_transposed = false;
};

std::vector<Size> padded_sizes(const InferredCall& call, const Convolution& conv, std::size_t first) {
  const std::vector<Size> stride = call.sizes("stride");
  const std::vector<Size> dilation = call.sizes("dilation");
  const bool is_named = call.arguments.at("padding").value().is<Argument::as_string>();
  const bool keeps_size = is_named && call.arguments.get_string("padding") == "same";
  const std::vector<Size> padding = is_named ? std::vector<Size>{0} : call.sizes("padding");
  std::vector<Size> extra = {0};
  if (call.declares("output_padding")) extra = call.sizes("output_padding");
  std::vector<Size> sizes;
  for (std::size_t i = 0; first + i < conv.input.sizes.size(); ++i) {
    const Size& size = conv.input.sizes[first + i];
    const Size& kernel = conv.weight.sizes[2 + i];
    if (keeps_size) {
      sizes.push_back(size);
    } else if (conv.is_transposed) {
      sizes.push_back((size - Size(1)) * at(stride, i) - Size(2) * at(padding, i) +
                      at(dilation, i) * (kernel - Size(1)) + at(extra, i) + Size(1));
    } else {
      sizes.push_back(window_count(size, kernel, at(stride, i), at(padding, i), at(dilation, i)));
    }
  }
  return sizes;
}

std::vector<ValueType> convolved(const InferredCall& call, bool is_transposed) {
  const Convolution conv = {call.tensor("input"), call.tensor("weight"), is_transposed};
  const std::size_t rank = conv.weight.sizes.size();
  require(rank >= 3, "the weight of a convolution has three dims at least");
  require(conv.input.sizes.size() == rank || conv.input.sizes.size() + 1 == rank,
          "input and weight of a convolution are of different ranks");
  require(conv.input.dtype == conv.weight.dtype, "input and weight are of different dtypes");
  const std::size_t channels = conv.input.sizes.size() + 1 - rank;
  const Size groups = call.size("groups");
  const Size inputs = is_transposed ? conv.weight.sizes[0] : conv.weight.sizes[1] * groups;
  if (conv.input.sizes[channels] != inputs) {
    throw schemagen::DataError("the input " + sizes_text(conv.input.sizes) + " has not the " +
                               inputs.srepr() + " channels that the weight " + sizes_text(conv.weight.sizes) +
                               " takes");
  }
  std::vector<Size> sizes;
  if (channels == 1) sizes.push_back(conv.input.sizes[0]);
  sizes.push_back(is_transposed ? conv.weight.sizes[1] * groups : conv.weight.sizes[0]);
  for (Size& size : padded_sizes(call, conv, channels + 1)) sizes.push_back(std::move(size));
  const bool is_last =
      conv.input.dtype != ScalarType::DOUBLE && channels == 1 &&
      (is_channels_last(conv.input, call.hints) || is_channels_last(conv.weight, call.hints));
  TensorType result = contiguous_like(conv.input, std::move(sizes));
  if (is_last) result.strides = channels_last_strides(result.sizes);
  return {result};
}

std::vector<ValueType> convolution(const InferredCall& call) {
  return convolved(call, call.flag("transposed"));
}

std::vector<ValueType> transposed_convolution(const InferredCall& call) {
  return convolved(call, true);
}

// ---- Pooling ----

/// How many of the last dims the windows go over: the digit before `d` in the operator's name.
std::size_t window_rank(const InferredCall& call) {
  const std::string& target = call.op.target;
  const std::size_t digit = target.find("pool") + 4;
  require(digit < target.size() && target[digit] >= '1' && target[digit] <= '3', "no pooling of this rank");
  return static_cast<std::size_t>(target[digit] - '0');
}

std::vector<Size> leading_sizes(const TensorType& input, std::size_t rank) {
  require(input.sizes.size() > rank, "the input of pooling has too few dims");
  return {input.sizes.begin(), input.sizes.end() - static_cast<std::ptrdiff_t>(rank)};
}

TensorType pooled(const InferredCall& call) {
  const TensorType input = call.tensor("self");
  const std::size_t rank = window_rank(call);
  std::vector<Size> sizes = leading_sizes(input, rank);
  const std::vector<Size> kernel = call.sizes("kernel_size");
  std::vector<Size> stride = call.sizes("stride");
  if (stride.empty()) stride = kernel;
  const std::vector<Size> padding = call.sizes("padding");
  const std::vector<Size> dilation =
      call.declares("dilation") ? call.sizes("dilation") : std::vector<Size>{1};
  const std::size_t first = sizes.size();
  const bool rounds_up = call.flag("ceil_mode");
  for (std::size_t i = 0; i < rank; ++i) {
    const Size& size = input.sizes[first + i];
    const Size more = rounds_up ? at(stride, i) - Size(1) : Size(0);
    Size count = window_count(size + more, at(kernel, i), at(stride, i), at(padding, i), at(dilation, i));
    if (rounds_up && is_last_outside(count, at(stride, i), size + at(padding, i), call.hints)) {
      count = count - Size(1);
    }
    sizes.push_back(std::move(count));
  }
  return images_like(call, input, std::move(sizes));
}

std::vector<ValueType> pool(const InferredCall& call) {
  return {pooled(call)};
}

std::vector<ValueType> pool_with_indices(const InferredCall& call) {
  const TensorType values = pooled(call);
  TensorType indices = values;
  indices.dtype = ScalarType::LONG;
  return {values, indices};
}

std::vector<ValueType> adaptive_pool(const InferredCall& call) {
  const TensorType input = call.tensor("self");
  std::vector<Size> sizes = leading_sizes(input, window_rank(call));
  for (Size& size : call.sizes("output_size")) sizes.push_back(std::move(size));
  require(sizes.size() == input.sizes.size(), "pooling has not as many output sizes as dims");
  return {images_like(call, input, std::move(sizes))};
}

std::vector<ValueType> adaptive_pool_with_indices(const InferredCall& call) {
  const TensorType values = std::get<TensorType>(adaptive_pool(call).front());
  TensorType indices = values;
  indices.dtype = ScalarType::LONG;
  return {values, indices};
}

/// Images of the size that they had before they were pooled.
std::vector<ValueType> unpool(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const std::vector<Size> sizes = call.sizes("output_size");
  std::vector<Size> all = leading_sizes(self, sizes.size());
  all.insert(all.end(), sizes.begin(), sizes.end());
  return {contiguous_like(self, std::move(all))};
}

}  // namespace

const NamedRules& window_rules() {
  static const NamedRules rules = {{"conv1d", convolution},
                                   {"conv2d", convolution},
                                   {"conv3d", convolution},
                                   {"convolution", convolution},
                                   {"conv_transpose1d", transposed_convolution},
                                   {"conv_transpose2d", transposed_convolution},
                                   {"conv_transpose3d", transposed_convolution},
                                   {"avg_pool1d", pool},
                                   {"avg_pool2d", pool},
                                   {"avg_pool3d", pool},
                                   {"max_pool1d", pool},
                                   {"max_pool2d", pool},
                                   {"max_pool3d", pool},
                                   {"max_pool2d_with_indices", pool_with_indices},
                                   {"max_pool3d_with_indices", pool_with_indices},
                                   {"adaptive_avg_pool1d", adaptive_pool},
                                   {"adaptive_avg_pool2d", adaptive_pool},
                                   {"adaptive_avg_pool3d", adaptive_pool},
                                   {"_adaptive_avg_pool2d", adaptive_pool},
                                   {"_adaptive_avg_pool3d", adaptive_pool},
                                   {"adaptive_max_pool1d", adaptive_pool_with_indices},
                                   {"adaptive_max_pool2d", adaptive_pool_with_indices},
                                   {"adaptive_max_pool3d", adaptive_pool_with_indices},
                                   {"max_pool1d_with_indices", pool_with_indices},
                                   {"max_unpool2d", unpool},
                                   {"max_unpool3d", unpool},
                                   {"_convolution", convolution}};
  return rules;
}

}  // namespace pt2
