// Results of operators on images: other sizes, samples at places, patches, and borders.
#include "pt2/infer/rules.h"

#include <cmath>
#include <utility>

namespace pt2 {
namespace {

constexpr const char* kTooFew = "an image has a batch, channels and sizes";

/// `sizes` of `scale` times as many; nullopt where that is no polynomial of symbols.
std::optional<Size> scaled(const Size& size, double scale) {
  if (scale == std::floor(scale)) return size * Size(static_cast<std::int64_t>(scale));
  if (const auto number = size.number()) {
    return Size(static_cast<std::int64_t>(static_cast<double>(*number) * scale));
  }
  return std::nullopt;
}

/// The sizes that are asked for, or so many times those of the input.
std::vector<ValueType> upsampled(const InferredCall& call) {
  const TensorType input = call.tensor(call.declares("input") ? "input" : "self");
  require(input.sizes.size() >= 3, kTooFew);
  std::vector<Size> sizes(input.sizes.begin(), input.sizes.begin() + 2);
  const std::vector<Size> asked = call.has("output_size") ? call.sizes("output_size") : std::vector<Size>();
  const std::vector<double> scales =
      asked.empty() ? call.arguments.get_floats("scale_factors") : std::vector<double>();
  require(std::max(asked.size(), scales.size()) + 2 == input.sizes.size(),
          "there are not as many sizes as dims");
  for (std::size_t i = 2; i < input.sizes.size(); ++i) {
    const auto size = asked.empty() ? scaled(input.sizes[i], scales[i - 2]) : asked[i - 2];
    if (!size) return {};
    sizes.push_back(*size);
  }
  return {images_like(call, input, std::move(sizes))};
}

/// Samples of `input` at each of the places in `grid`.
std::vector<ValueType> sampled(const InferredCall& call) {
  const TensorType input = call.tensor("input");
  std::vector<Size> sizes = call.tensor("grid").sizes;
  require(input.sizes.size() >= 4 && sizes.size() == input.sizes.size(), "input and grid differ in rank");
  sizes.pop_back();
  sizes.insert(sizes.begin() + 1, input.sizes[1]);
  return {contiguous_like(input, std::move(sizes))};
}

std::vector<ValueType> affine_grid(const InferredCall& call) {
  const TensorType theta = call.tensor("theta");
  std::vector<Size> sizes = call.sizes("size");
  require(sizes.size() >= 4, kTooFew);
  sizes.erase(sizes.begin() + 1);
  sizes.emplace_back(static_cast<std::int64_t>(sizes.size()) - 1);
  return {contiguous_like(theta, std::move(sizes))};
}

std::vector<ValueType> pixel_shuffle(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const Size factor = call.size("upscale_factor");
  std::vector<Size> sizes = self.sizes;
  require(sizes.size() >= 3, kTooFew);
  const std::size_t rank = sizes.size();
  sizes[rank - 3] = floor_div(sizes[rank - 3], factor * factor);
  sizes[rank - 2] = sizes[rank - 2] * factor;
  sizes[rank - 1] = sizes[rank - 1] * factor;
  return {images_like(call, self, std::move(sizes))};
}

std::vector<ValueType> pixel_unshuffle(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const Size factor = call.size("downscale_factor");
  std::vector<Size> sizes = self.sizes;
  require(sizes.size() >= 3, kTooFew);
  const std::size_t rank = sizes.size();
  sizes[rank - 3] = sizes[rank - 3] * factor * factor;
  sizes[rank - 2] = floor_div(sizes[rank - 2], factor);
  sizes[rank - 1] = floor_div(sizes[rank - 1], factor);
  return {images_like(call, self, std::move(sizes))};
}

/// All patches, each a column.
std::vector<ValueType> to_columns(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  const std::vector<Size> kernel = call.sizes("kernel_size");
  const std::vector<Size> dilation = call.sizes("dilation");
  const std::vector<Size> padding = call.sizes("padding");
  const std::vector<Size> stride = call.sizes("stride");
  const std::size_t rank = self.sizes.size();
  require(rank == 3 || rank == 4, kTooFew);
  Size blocks = 1;
  for (std::size_t i = 0; i < 2; ++i) {
    blocks = blocks * (floor_div(self.sizes[rank - 2 + i] + Size(2) * padding[i] -
                                     dilation[i] * (kernel[i] - Size(1)) - Size(1),
                                 stride[i]) +
                       Size(1));
  }
  std::vector<Size> sizes(self.sizes.begin(), self.sizes.end() - 2);
  sizes.back() = sizes.back() * kernel[0] * kernel[1];
  sizes.push_back(blocks);
  return {contiguous_like(self, std::move(sizes))};
}

std::vector<ValueType> from_columns(const InferredCall& call) {
  const TensorType self = call.tensor("self");
  std::vector<Size> sizes(self.sizes.begin(), self.sizes.end() - 1);
  for (const Size& kernel : call.sizes("kernel_size")) sizes.back() = floor_div(sizes.back(), kernel);
  for (Size& size : call.sizes("output_size")) sizes.push_back(std::move(size));
  return {contiguous_like(self, std::move(sizes))};
}

}  // namespace

const NamedRules& image_rules() {
  static const NamedRules rules = {{"upsample_nearest1d", upsampled},
                                   {"upsample_nearest2d", upsampled},
                                   {"upsample_nearest3d", upsampled},
                                   {"_upsample_nearest_exact1d", upsampled},
                                   {"_upsample_nearest_exact2d", upsampled},
                                   {"_upsample_nearest_exact3d", upsampled},
                                   {"upsample_linear1d", upsampled},
                                   {"upsample_bilinear2d", upsampled},
                                   {"_upsample_bilinear2d_aa", upsampled},
                                   {"upsample_trilinear3d", upsampled},
                                   {"upsample_bicubic2d", upsampled},
                                   {"_upsample_bicubic2d_aa", upsampled},
                                   {"grid_sampler", sampled},
                                   {"grid_sampler_2d", sampled},
                                   {"grid_sampler_3d", sampled},
                                   {"affine_grid_generator", affine_grid},
                                   {"pixel_shuffle", pixel_shuffle},
                                   {"pixel_unshuffle", pixel_unshuffle},
                                   {"im2col", to_columns},
                                   {"col2im", from_columns}};
  return rules;
}

}  // namespace pt2
