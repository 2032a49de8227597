#include "pt2/infer/rules.h"

#include <cmath>
#include <utility>

#include "pt2/text/expression.h"
#include "pt2/text/literal.h"

namespace pt2 {
namespace {

Size scaled(const Size& size, double scale) {
  if (scale == std::floor(scale)) return size * Size(static_cast<std::int64_t>(scale));
  if (const auto number = size.number()) {
    return Size(static_cast<std::int64_t>(static_cast<double>(*number) * scale));
  }
  return Size::of(parse_expression("TruncToInt(Mul(Float('" + float_literal(scale) +
                                   "', precision=53), ToFloat(" + size.srepr() + ")))"));
}

Results upsampled(const InferredCall& call) {
  const TensorType input = call.first();
  require_min_rank(input, 3);
  Sizes sizes = call.has("output_size") ? call.sizes("output_size") : Sizes();
  const std::vector<double> scales =
      sizes.empty() ? call.arguments.get_floats("scale_factors") : std::vector<double>();
  require_same_count(std::max(sizes.size(), scales.size()), sizes.empty() ? "scale factor" : "size",
                     input.sizes.size() - 2, "dim");
  for (std::size_t i = 0; i < scales.size(); ++i) sizes.push_back(scaled(input.sizes[i + 2], scales[i]));
  return {images_like(call, input, concat(part(input.sizes, 0, 2), sizes))};
}

Results sampled(const InferredCall& call) {
  const TensorType input = call.tensor("input");
  require_min_rank(input, 4);
  const Sizes grid = but_last(call.tensor("grid", input.sizes.size()).sizes, 1);
  return {contiguous_like(input, with_dim(grid, 1, input.sizes[1]))};
}

Results affine_grid(const InferredCall& call) {
  const TensorType theta = call.tensor("theta");
  Sizes sizes = call.sizes("size");
  if (sizes.size() < 4) fail_inference("expected 4 or more sizes, got " + sizes_text(sizes));
  const auto dims = static_cast<std::int64_t>(sizes.size()) - 2;
  return {contiguous_like(theta, concat(without_dim(sizes, 1), {dims}))};
}

Size divided(const Size& size, const Size& factor, const char* dim) {
  const auto [number, by] = std::pair(size.number(), factor.number());
  if (by && *by <= 0) fail_inference("expected a factor of 1 or more, got " + std::to_string(*by));
  if (number && by && *number % *by != 0) {
    fail_inference(std::string(dim) + ": expected a multiple of " + std::to_string(*by) + ", got " +
                   std::to_string(*number));
  }
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

NamedRules image_rules() {
  return {
      {upsampled,
       "upsample_nearest1d upsample_nearest2d upsample_nearest3d _upsample_nearest_exact1d "
       "_upsample_nearest_exact2d _upsample_nearest_exact3d upsample_linear1d upsample_bilinear2d "
       "_upsample_bilinear2d_aa upsample_trilinear3d upsample_bicubic2d _upsample_bicubic2d_aa"},
      {sampled, "grid_sampler grid_sampler_2d grid_sampler_3d _grid_sampler_2d_cpu_fallback"},
      {affine_grid, "affine_grid_generator"},
      {pixel_shuffle, "pixel_shuffle", "up"},
      {pixel_shuffle, "pixel_unshuffle"},
  };
}

}  // namespace pt2
