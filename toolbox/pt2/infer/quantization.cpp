#include "pt2/infer/rules.h"

#include <utility>

namespace pt2 {
namespace {

std::vector<ValueType> quantized(const InferredCall& call) {
  for (const char* name : {"output_dtype", "float8_dtype", "dtype"}) {
    if (call.has(name)) return {dense_like(call.first(), call.arguments.get_scalar_type(name), call.hints)};
  }
  return {};
}

std::vector<ValueType> dequantized(const InferredCall& call) {
  const ScalarType dtype = call.dtype(call.dtype(ScalarType::FLOAT, "output_dtype"), "out_dtype");
  return {dense_like(call.first(), dtype, call.hints)};
}

std::vector<ValueType> scale_of_tensor(const InferredCall& call) {
  const TensorType input = call.tensor("input");
  return {contiguous_like(input, ScalarType::DOUBLE, {Size(1)}),
          contiguous_like(input, ScalarType::LONG, {Size(1)})};
}

std::vector<ValueType> scales_of_tokens(const InferredCall& call) {
  const TensorType input = call.tensor("input");
  std::vector<Size> sizes = input.sizes;
  require_min_rank(input, 1);
  sizes.back() = 1;
  return {contiguous_like(input, ScalarType::DOUBLE, sizes), contiguous_like(input, ScalarType::LONG, sizes)};
}

/// A dim of a single block is dropped, or kept with size 1.
std::vector<ValueType> scales_of_blocks(const InferredCall& call) {
  if (!call.has("input")) return {};
  const TensorType input = call.tensor("input");
  const std::vector<Size> blocks = call.sizes("block_size");
  require_same_count(blocks.size(), "block size", input.sizes.size(), "dim");
  const bool keeps = call.flag("keepdim");
  std::vector<Size> sizes;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const bool is_one_block = !blocks[i].is(1) && blocks[i] == input.sizes[i];
    if (is_one_block && keeps) sizes.emplace_back(1);
    if (is_one_block) continue;
    if (keeps && !blocks[i].is(1)) return {};  // torchao returns two dims
    sizes.push_back(floor_div(input.sizes[i], blocks[i]));
  }
  return {contiguous_like(input, call.dtype(input.dtype, "scale_dtype"), sizes),
          contiguous_like(input, call.dtype(ScalarType::INT, "zero_point_dtype"), sizes)};
}

}  // namespace

NamedRules quantization_rules() {
  return {
      {quantized,
       "quantized_decomposed.quantize_per_tensor quantized_decomposed.quantize_per_channel "
       "quantized_decomposed.quantize_per_channel_group quantized_decomposed.quantize_per_token "
       "torchao.quantize_affine torchao.quantize_affine_float8_non_decomposed"},
      {dequantized,
       "quantized_decomposed.dequantize_per_tensor quantized_decomposed.dequantize_per_channel "
       "quantized_decomposed.dequantize_per_channel_group quantized_decomposed.dequantize_per_token "
       "torchao.dequantize_affine torchao.dequantize_affine_float8_non_decomposed"},
      {scale_of_tensor, "quantized_decomposed.choose_qparams quantized_decomposed.choose_qparams_symmetric"},
      {scales_of_tokens,
       "quantized_decomposed.choose_qparams_per_token "
       "quantized_decomposed.choose_qparams_per_token_asymmetric "
       "quantized_decomposed._choose_qparams_per_token_asymmetric_impl"},
      {dense_first, "quantized_decomposed.fake_quant_per_channel"},
      {scales_of_blocks, "torchao.choose_qparams_affine"},
  };
}

}  // namespace pt2
