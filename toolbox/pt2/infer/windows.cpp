#include "pt2/infer/rules.h"

#include <algorithm>
#include <cmath>

#include "pt2/text/literal.h"
#include "schemagen/base/counted.h"

namespace pt2 {
namespace {

const Size& at(const Sizes& list, std::size_t i) {
  if (list.size() != 1 && list.size() <= i)
    fail_inference("expected at least ", schemagen::counted(i + 1, "size"), ", got ", list.size());
  return list.size() == 1 ? list.front() : list[i];
}

Size window_count(const Size& size, const Size& kernel, const Size& stride, const Size& padding,
                  const Size& dilation) {
  const Size room = size + Size(2) * padding - dilation * (kernel - Size(1)) - Size(1);
  require(room.number().value_or(0) >= 0, "the kernel is larger than the padded image");
  return floor_div(room, stride) + Size(1);
}

/// At or after `end`; as in torch, hints decide.
bool is_last_outside(const Size& count, const Size& stride, const Size& end, const Bindings& hints) {
  const auto start = ((count - Size(1)) * stride).hint(hints);
  const auto known_end = end.hint(hints);
  require(start && known_end, "ceil_mode: cannot tell without size hints whether the last window fits");
  return *start >= *known_end;
}

/// Of the dims from `first` on.
Sizes convolved_sizes(const InferredCall& call, const Sizes& image, std::size_t first, const Sizes& kernels,
                      bool is_transposed) {
  const Sizes stride = call.sizes("stride");
  const Sizes dilation = call.sizes("dilation");
  const bool is_named = call.arguments.at("padding").value().is<Argument::as_string>();
  const bool keeps_size = is_named && call.arguments.get_string("padding") == "same";
  const Sizes padding = is_named ? Sizes{0} : call.sizes("padding");
  Sizes extra = {0};
  if (call.declares("output_padding")) extra = call.sizes("output_padding");
  Sizes sizes;
  for (std::size_t i = 0; first + i < image.size(); ++i) {
    const Size& size = image[first + i];
    const Size& kernel = kernels[2 + i];
    if (keeps_size) {
      sizes.push_back(size);
    } else if (is_transposed) {
      sizes.push_back((size - Size(1)) * at(stride, i) - Size(2) * at(padding, i) +
                      at(dilation, i) * (kernel - Size(1)) + at(extra, i) + Size(1));
    } else {
      sizes.push_back(window_count(size, kernel, at(stride, i), at(padding, i), at(dilation, i)));
    }
  }
  return sizes;
}

/// Images stay channels-last. Volumes would with oneDNN, but torch.export.export() turns it off.
TensorType shaped(const InferredCall& call, const TensorType& input, const TensorType& weight,
                  TensorType result) {
  const bool are_images = input.sizes.size() == 4 && weight.sizes.size() == 4;
  if (are_images && (is_channels_last(input, call.hints) || is_channels_last(weight, call.hints)))
    result.strides = channels_last_strides(result.sizes);
  return result;
}

/// By words: whether it is always transposed.
Results convolution(const InferredCall& call, const TensorType& input, const TensorType& weight) {
  const bool is_transposed = call.words == "transposed" || call.flag("transposed");
  const std::size_t rank = weight.sizes.size();
  require_min_rank(weight, 3);
  if (input.sizes.size() + 1 != rank) require_rank(input, rank);
  if (input.dtype != weight.dtype)
    fail_inference("expected input and weight of the same dtype, got ", input.dtype, " and ", weight.dtype);
  const std::size_t channels = input.sizes.size() + 1 - rank;
  const Size groups = call.size("groups");
  const Size inputs = is_transposed ? weight.sizes[0] : weight.sizes[1] * groups;
  if (input.sizes[channels] != inputs) {
    fail_shapes("expected ", expression_text(inputs.srepr()), " input channels for weight shape ",
                weight.sizes, ", got input shape ", input.sizes);
  }
  Sizes sizes = part(input.sizes, 0, channels);
  sizes.push_back(is_transposed ? weight.sizes[1] * groups : weight.sizes[0]);
  sizes = concat(sizes, convolved_sizes(call, input.sizes, channels + 1, weight.sizes, is_transposed));
  return {shaped(call, input, weight, contiguous_like(input, std::move(sizes)))};
}

/// The dims are time, batch, channels.
Results convolution_of_series(const InferredCall& call, const TensorType& self, const TensorType& weight) {
  require_rank(self, 3);
  require_rank(weight, 3);
  const Size count = window_count(self.sizes[0], weight.sizes[0], 1, call.size("pad"), 1);
  return {contiguous_like(self, {count, self.sizes[1], weight.sizes[2]})};
}

std::size_t window_rank(const InferredCall& call) {
  const std::string& target = call.op.target;
  const std::size_t digit = target.find("pool") + 4;
  return static_cast<std::size_t>(target[digit] - '0');
}

Sizes leading_sizes(const TensorType& input, std::size_t rank) {
  require_min_rank(input, rank + 1);
  return but_last(input.sizes, rank);
}

/// Max pooling can also return the indices of the maxima.
Results pooled(const InferredCall& call, const TensorType& input, Sizes sizes) {
  const TensorType values = images_like(call, input, std::move(sizes));
  if (call.op.returns.size() == 1) return {values};
  TensorType indices = values;
  indices.dtype = ScalarType::LONG;
  return {values, indices};
}

Results pool(const InferredCall& call, const TensorType& input) {
  const std::size_t rank = window_rank(call);
  Sizes sizes = leading_sizes(input, rank);
  const Sizes kernel = call.sizes("kernel_size");
  Sizes stride = call.sizes("stride");
  if (stride.empty()) stride = kernel;
  const Sizes padding = call.sizes("padding");
  const Sizes dilation = call.declares("dilation") ? call.sizes("dilation") : Sizes{1};
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
  return pooled(call, input, std::move(sizes));
}

Results adaptive_pool(const InferredCall& call, const TensorType& input) {
  Sizes sizes = concat(leading_sizes(input, window_rank(call)), call.sizes("output_size"));
  require_same_count(sizes.size(), "output dim", input.sizes.size(), "input dim");
  return pooled(call, input, std::move(sizes));
}

/// The gradients of the input, the weight and the bias, or None.
Results convolution_gradients(const InferredCall& call, const TensorType& gradient, const TensorType& input,
                              const TensorType& weight) {
  const std::vector<bool> is_asked = call.arguments.get_bools("output_mask");
  require_same_count(is_asked.size(), "mask", 3, "gradient");
  require_min_rank(gradient, 2);
  Results results;
  for (const TensorType* tensor : {&input, &weight})
    results.emplace_back(shaped(call, input, weight, contiguous_like(gradient, tensor->sizes)));
  results.emplace_back(contiguous_like(
      gradient, call.has("bias_sizes") ? call.sizes("bias_sizes") : Sizes{gradient.sizes[1]}));
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!is_asked[i]) results[i] = std::monostate();
  }
  return results;
}

Results unpool(const InferredCall& call, const TensorType& self) {
  const Sizes sizes = call.sizes("output_size");
  return {contiguous_like(self, concat(leading_sizes(self, sizes.size()), sizes))};
}

Results to_columns(const InferredCall& call, const TensorType& self) {
  const auto pair = [&](const char* name) {
    Sizes sizes = call.sizes(name);
    if (sizes.size() != 2) fail_inference(name, ": expected 2 sizes, got ", sizes);
    return sizes;
  };
  const Sizes kernel = pair("kernel_size");
  const Sizes dilation = pair("dilation");
  const Sizes padding = pair("padding");
  const Sizes stride = pair("stride");
  if (self.sizes.size() != 3) require_rank(self, 4);
  Sizes sizes = but_last(self.sizes, 2);
  Size blocks = 1;
  for (std::size_t i = 0; i < 2; ++i) {
    const Size& size = self.sizes[sizes.size() + i];
    blocks = blocks * window_count(size, kernel[i], stride[i], padding[i], dilation[i]);
  }
  sizes.back() = sizes.back() * kernel[0] * kernel[1];
  return {contiguous_like(self, concat(sizes, {blocks}))};
}

Results from_columns(const InferredCall& call, const TensorType& self) {
  require_min_rank(self, 2);
  Sizes sizes = but_last(self.sizes, 1);
  for (const Size& kernel : call.sizes("kernel_size")) sizes.back() = floor_div(sizes.back(), kernel);
  return {contiguous_like(self, concat(sizes, call.sizes("output_size")))};
}

Size scaled(const Size& size, double scale) {
  if (scale == std::floor(scale)) return size * Size(static_cast<std::int64_t>(scale));
  if (const auto number = size.number()) {
    return Size(static_cast<std::int64_t>(static_cast<double>(*number) * scale));
  }
  return Size::of(parse_expression("TruncToInt(Mul(Float('" + float_literal(scale) +
                                   "', precision=53), ToFloat(" + size.srepr() + ")))"));
}

Results upsampled(const InferredCall& call, const TensorType& input) {
  require_min_rank(input, 3);
  Sizes sizes = call.has("output_size") ? call.sizes("output_size") : Sizes();
  const std::vector<double> scales =
      sizes.empty() ? call.arguments.get_floats("scale_factors") : std::vector<double>();
  require_same_count(std::max(sizes.size(), scales.size()), sizes.empty() ? "scale factor" : "size",
                     input.sizes.size() - 2, "dim");
  for (std::size_t i = 0; i < scales.size(); ++i) sizes.push_back(scaled(input.sizes[i + 2], scales[i]));
  return {images_like(call, input, concat(part(input.sizes, 0, 2), sizes))};
}

Results sampled(const InferredCall&, const TensorType& input, const TensorType& places) {
  require_min_rank(input, 4);
  require_rank(places, input.sizes.size());
  const Sizes grid = but_last(places.sizes, 1);
  return {contiguous_like(input, replaced(grid, 1, 0, {input.sizes[1]}))};
}

Results affine_grid(const InferredCall& call, const TensorType& theta) {
  Sizes sizes = call.sizes("size");
  if (sizes.size() < 4) fail_inference("expected 4 or more sizes, got ", sizes);
  const auto dims = static_cast<std::int64_t>(sizes.size()) - 2;
  return {contiguous_like(theta, concat(replaced(sizes, 1, 1, {}), {dims}))};
}

Size divided(const Size& size, const Size& factor, const char* dim) {
  const auto [number, by] = std::pair(size.number(), factor.number());
  if (by && *by <= 0) fail_inference("expected a factor of 1 or more, got ", *by);
  if (number && by && *number % *by != 0)
    fail_inference(dim, ": expected a multiple of ", *by, ", got ", *number);
  return floor_div(size, factor);
}

/// By words: whether channels become pixels.
Results pixel_shuffle(const InferredCall& call) {
  const bool is_up = call.words == "up";
  const TensorType self = call.tensor("self");
  const Size factor = call.size(is_up ? "upscale_factor" : "downscale_factor");
  require_min_rank(self, 3);
  Sizes sizes = self.sizes;
  Size* const last = &sizes.back();  // channels, height, width
  last[-2] = is_up ? divided(last[-2], factor * factor, "channels") : last[-2] * factor * factor;
  last[-1] = is_up ? last[-1] * factor : divided(last[-1], factor, "height");
  last[0] = is_up ? last[0] * factor : divided(last[0], factor, "width");
  return {images_like(call, self, std::move(sizes))};
}

}  // namespace

NamedRules window_rules() {
  return {
      {convolution, "conv1d conv2d conv3d convolution _convolution _convolution_mode"},
      {convolution_of_series, "conv_tbc"},
      {convolution, "transposed", "conv_transpose1d conv_transpose2d conv_transpose3d"},
      {pool,
       "avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d max_pool3d max_pool1d_with_indices "
       "max_pool2d_with_indices max_pool3d_with_indices"},
      {adaptive_pool,
       "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d _adaptive_avg_pool2d "
       "_adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d "
       "fractional_max_pool2d fractional_max_pool3d"},
      {to_columns, "im2col"},
      {from_columns, "col2im"},
      {unpool, "max_unpool2d max_unpool3d"},
      {convolution_gradients, "convolution_backward"},
      {upsampled,
       "upsample_nearest1d upsample_nearest2d upsample_nearest3d _upsample_nearest_exact1d "
       "_upsample_nearest_exact2d _upsample_nearest_exact3d upsample_linear1d upsample_bilinear2d "
       "_upsample_bilinear2d_aa upsample_trilinear3d upsample_bicubic2d _upsample_bicubic2d_aa"},
      {sampled, "grid_sampler grid_sampler_2d grid_sampler_3d _grid_sampler_2d_cpu_fallback"},
      {affine_grid, "affine_grid_generator"},
      {pixel_shuffle, "up", "pixel_shuffle"},
      {pixel_shuffle, "pixel_unshuffle"},
  };
}

}  // namespace pt2
