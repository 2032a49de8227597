// Results of quantized_decomposed and torchao: values as whole numbers, and the scales that these have.
#include "pt2/infer/rules.h"

#include <utility>

namespace pt2 {
namespace {

/// Of the shape of the input, whatever its order in memory.
TensorType like_input(const InferredCall& call, ScalarType dtype) {
  const TensorType input = call.tensor(call.declares("input") ? "input" : "tensor");
  return dense_like(input, dtype, call.hints);
}

std::vector<ValueType> quantized(const InferredCall& call) {
  const char* const names[] = {"output_dtype", "float8_dtype", "dtype"};
  for (const char* name : names) {
    if (call.has(name)) return {like_input(call, call.arguments.get_scalar_type(name))};
  }
  return {};
}

std::vector<ValueType> dequantized(const InferredCall& call) {
  return {like_input(call, call.dtype(call.dtype(ScalarType::FLOAT, "output_dtype"), "out_dtype"))};
}

/// One scale and one zero point.
std::vector<ValueType> scale_of_tensor(const InferredCall& call) {
  const TensorType input = call.tensor("input");
  return {contiguous_like(input, ScalarType::DOUBLE, {Size(1)}),
          contiguous_like(input, ScalarType::LONG, {Size(1)})};
}

/// One for each row.
std::vector<ValueType> scales_of_tokens(const InferredCall& call) {
  const TensorType input = call.tensor("input");
  std::vector<Size> sizes = input.sizes;
  require(!sizes.empty(), "a scalar has no tokens");
  sizes.back() = 1;
  return {contiguous_like(input, ScalarType::DOUBLE, sizes), contiguous_like(input, ScalarType::LONG, sizes)};
}

/// One scale and one zero point for each block; a dim that is one block is left out, or of size 1.
std::vector<ValueType> scales_of_blocks(const InferredCall& call) {
  if (!call.has("input")) return {};
  const TensorType input = call.tensor("input");
  const std::vector<Size> blocks = call.sizes("block_size");
  require(blocks.size() == input.sizes.size(), "a block has not as many dims as the input");
  const bool keeps = call.flag("keepdim");
  std::vector<Size> sizes;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const bool is_one_block = !blocks[i].is(1) && blocks[i] == input.sizes[i];
    if (is_one_block && keeps) sizes.emplace_back(1);
    if (is_one_block) continue;
    if (keeps && !blocks[i].is(1)) return {};  // of which there are two dims
    sizes.push_back(floor_div(input.sizes[i], blocks[i]));
  }
  return {contiguous_like(input, call.dtype(input.dtype, "scale_dtype"), sizes),
          contiguous_like(input, call.dtype(ScalarType::INT, "zero_point_dtype"), sizes)};
}

std::vector<ValueType> like_input_itself(const InferredCall& call) {
  return {like_input(call, call.tensor("input").dtype)};
}

}  // namespace

const NamedRules& quantization_rules() {
  static const NamedRules rules = {
      {"quantized_decomposed.quantize_per_tensor", quantized},
      {"quantized_decomposed.quantize_per_channel", quantized},
      {"quantized_decomposed.quantize_per_channel_group", quantized},
      {"quantized_decomposed.quantize_per_token", quantized},
      {"quantized_decomposed.dequantize_per_tensor", dequantized},
      {"quantized_decomposed.dequantize_per_channel", dequantized},
      {"quantized_decomposed.dequantize_per_channel_group", dequantized},
      {"quantized_decomposed.dequantize_per_token", dequantized},
      {"quantized_decomposed.choose_qparams", scale_of_tensor},
      {"quantized_decomposed.choose_qparams_symmetric", scale_of_tensor},
      {"quantized_decomposed.choose_qparams_per_token", scales_of_tokens},
      {"quantized_decomposed.choose_qparams_per_token_asymmetric", scales_of_tokens},
      {"quantized_decomposed._choose_qparams_per_token_asymmetric_impl", scales_of_tokens},
      {"quantized_decomposed.fake_quant_per_channel", like_input_itself},
      {"torchao.choose_qparams_affine", scales_of_blocks},
      {"torchao.quantize_affine", quantized},
      {"torchao.dequantize_affine", dequantized},
      {"torchao.quantize_affine_float8_non_decomposed", quantized},
      {"torchao.dequantize_affine_float8_non_decomposed", dequantized}};
  return rules;
}

}  // namespace pt2
