#include "pt2/infer/rules.h"

#include <utility>

namespace pt2 {
namespace {

Results quantized(const InferredCall& call) {
  for (const char* name : {"output_dtype", "float8_dtype", "dtype"}) {
    if (call.has(name)) return {dense_like(call.first(), call.arguments.get_scalar_type(name), call.hints)};
  }
  return {};
}

/// A number for the whole tensor, or for each token, which is a row.
Results scales(const InferredCall& call) {
  const TensorType input = call.tensor("input");
  Sizes sizes = {1};
  if (call.op.target.find("_per_token") != std::string::npos) {
    require_min_rank(input, 1);
    sizes = concat(but_last(input.sizes, 1), sizes);
  }
  return {contiguous_like(input, ScalarType::DOUBLE, sizes), contiguous_like(input, ScalarType::LONG, sizes)};
}

/// A dim of a single block is dropped, or kept with size 1.
Results scales_of_blocks(const InferredCall& call) {
  if (!call.has("input")) return {};
  const TensorType input = call.tensor("input");
  const Sizes blocks = call.sizes("block_size");
  require_same_count(blocks.size(), "block size", input.sizes.size(), "dim");
  const bool keeps = call.flag("keepdim");
  Sizes sizes;
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
      {described,
       "quantized_decomposed.dequantize_per_tensor quantized_decomposed.dequantize_per_channel "
       "quantized_decomposed.dequantize_per_channel_group quantized_decomposed.dequantize_per_token "
       "torchao.dequantize_affine torchao.dequantize_affine_float8_non_decomposed",
       "dense _ float output_dtype out_dtype"},
      {scales,
       "quantized_decomposed.choose_qparams quantized_decomposed.choose_qparams_symmetric "
       "quantized_decomposed.choose_qparams_per_token "
       "quantized_decomposed.choose_qparams_per_token_asymmetric "
       "quantized_decomposed._choose_qparams_per_token_asymmetric_impl"},
      {described, "quantized_decomposed.fake_quant_per_channel", "dense _"},
      {scales_of_blocks, "torchao.choose_qparams_affine"},
  };
}

}  // namespace pt2
