#include "pt2/infer/rules.h"

#include <algorithm>
#include <numeric>

#include "pt2/text/words.h"

namespace pt2 {
namespace {

/// By priority: tensors, scalar tensors, numbers. A lower priority counts only if its category is higher.
/// Source: c10/core/ScalarType.h, at::native::result_type.
class ResultDtype {
 public:
  void add(const TensorType& tensor) { join(tensor.sizes.empty() ? scalars_ : tensors_, tensor.dtype); }
  void add_number(ScalarType dtype) { join(numbers_, dtype); }

  ScalarType get() const {
    const Dtype below = combined(scalars_, numbers_);
    return combined(tensors_, below).value_or(ScalarType::FLOAT);
  }

 private:
  using Dtype = std::optional<ScalarType>;

  static void join(Dtype& to, ScalarType dtype) { to = to ? promote(*to, dtype) : dtype; }

  static Dtype combined(const Dtype& high, const Dtype& low) {
    if (!high || !low) return high ? high : low;
    if (is_complex(*high)) return high;
    if (is_float(*high)) return is_complex(*low) ? promote(*high, ScalarType::COMPLEXHALF) : high;
    const bool is_higher = *high == ScalarType::BOOL || is_float(*low) || is_complex(*low);
    return is_higher ? promote(*high, *low) : high;
  }

  Dtype tensors_;
  Dtype scalars_;
  Dtype numbers_;
};

/// Other numbers, such as `alpha`, take no part in promotion.
constexpr std::string_view kPromotedNumbers = "self other min max exponent";

bool is_row_major(const TensorType& tensor) {
  Size expected = 1;
  for (std::size_t i = tensor.sizes.size(); i-- > 0;) {
    if (tensor.sizes[i].is(1)) continue;
    if (tensor.strides[i] != expected) return false;
    expected = expected * tensor.sizes[i];
  }
  return true;
}

std::int64_t hint_of(const Size& size, const Bindings& hints) {
  return size.hint(hints).value_or(1);
}

/// Returns whether the elements fill a stretch of memory, with the dims in any order.
bool is_dense(const TensorType& tensor, const Bindings& hints) {
  std::vector<std::size_t> order(tensor.sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::pair<std::int64_t, std::int64_t>> keys;
  for (std::size_t i = 0; i < order.size(); ++i) {
    keys.emplace_back(hint_of(tensor.strides[i], hints), hint_of(tensor.sizes[i], hints));
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  Size expected = 1;
  for (const std::size_t dim : order) {
    if (tensor.sizes[dim].is(1)) continue;
    if (tensor.strides[dim] != expected) return false;
    expected = expected * tensor.sizes[dim];
  }
  return true;
}

using OperandStrides = std::vector<std::vector<std::int64_t>>;

OperandStrides operand_strides(const std::vector<TensorType>& tensors, const Sizes& sizes,
                               const Bindings& hints) {
  OperandStrides strides;
  for (const TensorType& tensor : tensors) {
    std::vector<std::int64_t>& own = strides.emplace_back(sizes.size());
    const std::size_t skipped = sizes.size() - tensor.sizes.size();
    for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
      const bool is_repeated = tensor.sizes[i].is(1) && !sizes[skipped + i].is(1);
      if (!is_repeated) own[skipped + i] = hint_of(tensor.strides[i], hints);
    }
  }
  return strides;
}

/// Positive if dim `a` must be outside `b` in memory, negative if inside.
int compare_dims(const OperandStrides& strides, const std::vector<std::int64_t>& sizes, std::size_t a,
                 std::size_t b) {
  for (const std::vector<std::int64_t>& own : strides) {
    if (own[a] == 0 || own[b] == 0) continue;
    if (own[a] != own[b]) return own[a] < own[b] ? -1 : 1;
    if (sizes[a] > sizes[b]) return 1;
  }
  return 0;
}

/// Source: TensorIteratorBase::reorder_dimensions.
Sizes joined_strides(const std::vector<TensorType>& tensors, const Sizes& sizes, const Bindings& hints) {
  const OperandStrides strides = operand_strides(tensors, sizes, hints);
  const auto numbers = mapped(sizes, [&](const Size& size) { return hint_of(size, hints); });
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  for (std::size_t i = 1; i < order.size(); ++i) {
    std::size_t at = i;
    for (std::size_t before = i; before-- > 0;) {
      const int comparison = compare_dims(strides, numbers, order[before], order[at]);
      if (comparison < 0) break;
      if (comparison == 0) continue;
      std::swap(order[before], order[at]);
      at = before;
    }
  }
  std::reverse(order.begin(), order.end());
  return strides_in(order, mapped(sizes, [](const Size& size) { return larger(size, 1); }));
}

/// torch multiplies by a power of the number 2.
Results scaled_by_power(const InferredCall& call, const TensorType& self, TensorType other) {
  ResultDtype dtype;
  other.dtype = as_float(other.dtype);
  dtype.add(self);
  dtype.add(other);
  return {combined({self, other}, dtype.get(), call.hints)};
}

/// Real tensors are returned as they are.
Results conjugated(const InferredCall& call, const TensorType& self) {
  return is_complex(self.dtype) ? pointwise(call) : Results{self};
}

/// Bools become integers, unless the exponent is a tensor.
Results power(const InferredCall& call) {
  TensorType result = combined_operands(call);
  const bool is_tensor =
      call.declares("exponent") && call.arguments.at("exponent").value().is<Argument::as_tensor>();
  if (result.dtype == ScalarType::BOOL && !is_tensor) result.dtype = ScalarType::LONG;
  return {result};
}

Results of_parts(const InferredCall& call) {
  TensorType result = combined_operands(call);
  require(is_float(result.dtype), "expected floating-point tensors as the parts of a complex tensor");
  result.dtype = as_complex(result.dtype);
  return {result};
}

Results quotient_of(const InferredCall& call) {
  return call.has("rounding_mode") ? pointwise(call) : described_by("operands _ floating", call);
}

Results where(const InferredCall& call) {
  return {combined_operands(call, call.declares("pred") ? "pred" : "condition")};
}

Results placed(const InferredCall& call, TensorType a) {
  a.device = call.arguments.get_device("device");
  return {a};
}

Results converted(const InferredCall& call, const TensorType& input) {
  ScalarType dtype = call.dtype(input.dtype);
  if (call.has("other")) dtype = call.tensor("other").dtype;
  const bool is_copy = call.flag("copy") || call.op.target.find("_to_copy") != std::string::npos;
  const bool is_same = dtype == input.dtype && !call.has("memory_format") && !is_copy;
  Device device = call.has("device") ? call.arguments.get_device("device") : input.device;
  if (call.has("other")) device = call.tensor("other").device;
  if (is_same && device == input.device) return {input};
  TensorType result = in_format(call, input, dtype);
  result.device = std::move(device);
  return {result};
}

/// A number for the whole tensor, or for each token, which is a row.
Results scales(const InferredCall& call, const TensorType& input) {
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

TensorType combined(const std::vector<TensorType>& tensors, ScalarType dtype, const Bindings& hints) {
  Sizes sizes = tensors.front().sizes;
  for (const TensorType& tensor : tensors) sizes = broadcast(sizes, tensor.sizes, hints);
  TensorType result = contiguous_like(tensors.front(), dtype, std::move(sizes));
  if (std::all_of(tensors.begin(), tensors.end(), is_row_major)) return result;
  const auto is_like_first = [&](const TensorType& tensor) {
    return tensor.sizes == result.sizes && tensor.strides == tensors.front().strides;
  };
  const bool are_alike = std::all_of(tensors.begin(), tensors.end(), is_like_first);
  result.strides = are_alike && is_dense(tensors.front(), hints)
                       ? tensors.front().strides
                       : joined_strides(tensors, result.sizes, hints);
  return result;
}

TensorType dense_like(const TensorType& like, ScalarType dtype, const Bindings& hints) {
  return combined({like}, dtype, hints);
}

TensorType combined_operands(const InferredCall& call, std::string_view skipped) {
  std::vector<TensorType> tensors;
  ResultDtype dtype;
  for (const NodeArgument& argument : call.arguments.all()) {
    const auto number = number_dtype(argument.value());
    if (argument.value().is<Argument::as_tensor>()) {
      tensors.push_back(call.tensor(argument.name));
      if (argument.name != skipped) dtype.add(tensors.back());
    } else if (number && has_word(kPromotedNumbers, argument.name)) {
      dtype.add_number(*number);
    }
  }
  require(!tensors.empty(), "expected a tensor among the operands");
  return combined(tensors, dtype.get(), call.hints);
}

Results pointwise(const InferredCall& call) {
  return {combined_operands(call)};
}

constexpr const char* kFloating =
    "true_divide native_dropout_backward gammainc gammaincc acos acosh asin asinh atan atan2 atanh cos cosh "
    "digamma erf erfc erfinv exp exp2 expm1 lgamma log log10 log1p log2 logit reciprocal rsqrt sigmoid sin "
    "sinc sinh sqrt tan tanh xlogy xlog1py i0 i0e i1 i1e expit copysign rad2deg deg2rad arccos arccosh "
    "arcsin arcsinh arctan arctan2 arctanh psi gammaln polygamma mvlgamma multigammaln entr erfcx zeta ndtr "
    "log_ndtr ndtri airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 modified_bessel_i0 modified_bessel_i1 "
    "modified_bessel_k0 modified_bessel_k1 scaled_modified_bessel_k0 scaled_modified_bessel_k1 "
    "spherical_bessel_j0 chebyshev_polynomial_t chebyshev_polynomial_u chebyshev_polynomial_v "
    "chebyshev_polynomial_w hermite_polynomial_h hermite_polynomial_he laguerre_polynomial_l "
    "legendre_polynomial_p shifted_chebyshev_polynomial_t shifted_chebyshev_polynomial_u "
    "shifted_chebyshev_polynomial_v shifted_chebyshev_polynomial_w";

// NOLINTNEXTLINE(readability-function-size): a table
NamedRules pointwise_rules() {
  return {
      {pointwise,
       "normal.Tensor_Tensor normal.float_Tensor round _prelu_kernel _add_relu _masked_scale elu_backward "
       "hardshrink_backward hardsigmoid_backward hardswish_backward hardtanh_backward leaky_relu_backward "
       "mish_backward softplus_backward softshrink_backward mse_loss_backward smooth_l1_loss_backward "
       "huber_loss_backward soft_margin_loss_backward binary_cross_entropy_backward hardswish log_sigmoid "
       "floor_divide __and__ __or__ rsub prelu subtract multiply negative fix prims.add prims.sub "
       "prims.mul prims.div prims.neg prims.exp prims.log prims.sin prims.cos prims.tanh prims.sqrt "
       "prims.pow prims.erf prims.floor prims.ceil prims.round prims.bitwise_and prims.bitwise_or "
       "prims.bitwise_xor prims.remainder prims.fmod prims.atan2"},
      {described, "operands _ real", "abs absolute"},
      {described, "operands _ floating real", "angle"},
      {conjugated, "conj_physical"},
      {described, "same self", "positive"},
      {power, "square pow"},
      {quotient_of, "div divide"},
      {of_parts, "complex"},
      {described, "operands _ floating", kFloating},
      {scaled_by_power, "ldexp"},
      {described, "dense self, dense self int", "frexp"},
      {described, "format self chalf", "chalf"},
      {described, "operands _ widest", "float_power"},
      {described, "operands _ complex", "polar"},
      {described, "dense _, dense _ bool",
       "native_dropout fake_quantize_per_tensor_affine_cachemask fake_quantize_per_channel_affine_cachemask "
       "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams _fused_moving_avg_obs_fq_helper"},
      {described, "dense _",
       "rrelu_with_noise poisson binomial _standard_gamma _sample_dirichlet "
       "fake_quantize_per_tensor_affine fake_quantize_per_channel_affine feature_alpha_dropout dropout "
       "feature_dropout alpha_dropout uniform normal.Tensor_float log_normal exponential geometric cauchy "
       "random renorm fill zero embedding_renorm _masked_softmax _lazy_clone "
       "_fake_quantize_learnable_per_tensor_affine _fake_quantize_learnable_per_channel_affine "
       "fused_moving_avg_obs_fake_quant _transformer_encoder_layer_fwd "
       "quantized_decomposed.fake_quant_per_channel msort"},
      {where, "where prims.where"},
      {described, "broadcast mask", "masked_fill masked_scatter"},
      {converted, "to _to_copy type_as"},
      {described, "cast self uint8", "_cast_Byte"},
      {described, "cast self int8", "_cast_Char"},
      {described, "cast self short", "_cast_Short"},
      {described, "cast self int", "_cast_Int"},
      {described, "cast self long", "_cast_Long"},
      {described, "cast self half", "_cast_Half"},
      {described, "cast self float", "_cast_Float"},
      {described, "cast self double", "_cast_Double"},
      {described, "dense a dtype", "prims.convert_element_type"},
      {placed, "prims.device_put"},
      {described, "operands _ bool",
       "prims.eq prims.ne prims.lt prims.le prims.gt prims.ge prims.isfinite eq ne lt le gt ge equal "
       "greater greater_equal less less_equal not_equal isfinite isinf isnan isneginf isposinf isreal "
       "isclose logical_and logical_not logical_or logical_xor signbit"},
      {described, "dense _ output_dtype float8_dtype dtype",
       "quantized_decomposed.quantize_per_tensor quantized_decomposed.quantize_per_channel "
       "quantized_decomposed.quantize_per_channel_group quantized_decomposed.quantize_per_token "
       "torchao.quantize_affine torchao.quantize_affine_float8_non_decomposed"},
      {described, "dense _ float output_dtype out_dtype",
       "quantized_decomposed.dequantize_per_tensor quantized_decomposed.dequantize_per_channel "
       "quantized_decomposed.dequantize_per_channel_group quantized_decomposed.dequantize_per_token "
       "torchao.dequantize_affine torchao.dequantize_affine_float8_non_decomposed"},
      {scales,
       "quantized_decomposed.choose_qparams quantized_decomposed.choose_qparams_symmetric "
       "quantized_decomposed.choose_qparams_per_token "
       "quantized_decomposed.choose_qparams_per_token_asymmetric "
       "quantized_decomposed._choose_qparams_per_token_asymmetric_impl"},
      {scales_of_blocks, "torchao.choose_qparams_affine"},
  };
}

}  // namespace pt2
