#include "pt2/infer/rules.h"

#include <algorithm>

#include "pt2/nodes/list_items.h"

namespace pt2 {
namespace {

/// The operator that computes one element: `aten.add.Tensor` for `aten._foreach_add.List`.
const Operator* operator_of_elements(const InferredCall& call) {
  constexpr std::string_view kPrefix = "torch.ops.aten._foreach_";
  const std::string_view name = std::string_view(call.op.target).substr(kPrefix.size());
  const std::string base(name.substr(0, name.find('.')));
  for (const char* const overload : {"default", "Tensor", "Scalar", "Tensor_Tensor", "Tensor_Scalar"}) {
    const Operator* const op = find_operator("torch.ops.aten." + base + "." + overload);
    if (op == nullptr || op->arguments.size() < call.node.inputs.size()) continue;
    bool fits = true;
    for (std::size_t i = 0; i < call.node.inputs.size(); ++i) {
      const Argument& given = call.node.inputs[i].arg;
      const bool is_tensor = given.is<Argument::as_tensors>() || given.is<Argument::as_tensor>();
      fits = fits && is_tensor == (op->arguments[i].type.kind == OperatorTypeKind::Tensor);
    }
    if (fits) return op;
  }
  return nullptr;
}

/// Calls an operator for each tensor of a list.
Results for_each_element(const InferredCall& call) {
  const Operator* const op = operator_of_elements(call);
  if (op == nullptr) return {};
  std::size_t count = 0;
  std::vector<std::optional<std::vector<Argument>>> lists;
  for (const NamedArgument& input : call.node.inputs) {
    lists.push_back(items_of(input.arg));
    if (input.arg.is<Argument::as_tensors>()) count = lists.back()->size();
  }
  require_tensors(count);
  std::vector<TensorType> results;
  for (std::size_t at = 0; at < count; ++at) {
    Node node;
    node.target = op->target;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      require(!lists[i] || at < lists[i]->size(), "expected lists of the same length");
      NamedArgument& input = node.inputs.emplace_back();
      input.name = op->arguments[i].name;
      input.arg = lists[i] ? (*lists[i])[at] : call.node.inputs[i].arg;
    }
    const auto types = infer_results(node, *op, call.graph, call.hints, {}, &call.texts);
    if (!types || types->size() != 1) return {};
    results.push_back(std::get<TensorType>(types->front()));
  }
  return {std::move(results)};
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a table
NamedRules gradient_rules() {
  return {
      {for_each_element,
       "_foreach_abs _foreach_acos _foreach_add _foreach_addcdiv _foreach_addcmul _foreach_asin "
       "_foreach_atan _foreach_ceil _foreach_clamp_max _foreach_clamp_min _foreach_clone _foreach_copy "
       "_foreach_cos _foreach_cosh _foreach_div _foreach_erf _foreach_erfc _foreach_exp _foreach_expm1 "
       "_foreach_floor _foreach_frac _foreach_lerp _foreach_lgamma _foreach_log _foreach_log10 "
       "_foreach_log1p _foreach_log2 _foreach_max _foreach_maximum _foreach_minimum _foreach_mm _foreach_mul "
       "_foreach_neg _foreach_norm _foreach_pow _foreach_reciprocal _foreach_round _foreach_rsqrt "
       "_foreach_sigmoid _foreach_sign _foreach_sin _foreach_sinh _foreach_sqrt _foreach_sub _foreach_tan "
       "_foreach_tanh _foreach_trunc _foreach_zero"},
      {described,
       "_adaptive_avg_pool2d_backward adaptive_max_pool2d_backward avg_pool2d_backward max_pool2d_backward "
       "max_pool2d_with_indices_backward max_pool3d_with_indices_backward",
       "images self"},
      {described,
       "_adaptive_avg_pool3d_backward adaptive_max_pool3d_backward avg_pool3d_backward "
       "fractional_max_pool2d_backward fractional_max_pool3d_backward gather_backward nll_loss2d_backward "
       "nll_loss_backward reflection_pad1d_backward reflection_pad2d_backward reflection_pad3d_backward "
       "replication_pad1d_backward replication_pad2d_backward replication_pad3d_backward "
       "_standard_gamma_grad multi_margin_loss_backward multilabel_margin_loss_backward _pdist_backward",
       "contiguous self"},
      {described, "glu_backward infinitely_differentiable_gelu_backward", "dense self"},
      {described, "log_sigmoid_backward rrelu_with_noise_backward", "dense grad_output"},
      {described,
       "fake_quantize_per_tensor_affine_cachemask_backward "
       "fake_quantize_per_channel_affine_cachemask_backward",
       "dense grad"},
      {described, "_cdist_backward", "contiguous x1"},
      {described, "_ctc_loss_backward", "contiguous log_probs"},
      {described, "_dirichlet_grad glu_backward_jvp", "contiguous x"},
      {described, "cummaxmin_backward cumprod_backward masked_select_backward", "contiguous input"},
      {described, "_masked_softmax_backward", "contiguous output"},
      {described, "_segment_reduce_backward", "contiguous data"},
      {described, "_embedding_bag_per_sample_weights_backward", "contiguous indices"},
      {described, "glu_jvp", "dense glu"},
      {described, "diagonal_backward select_backward slice_backward unfold_backward",
       "contiguous input_sizes"},
      {described, "masked_scatter_backward trace_backward value_selecting_reduction_backward",
       "contiguous sizes"},
      {described, "index_select_backward", "contiguous self_sizes"},
      {described,
       "upsample_nearest2d_backward _upsample_nearest_exact2d_backward upsample_bilinear2d_backward "
       "upsample_trilinear3d_backward _upsample_bilinear2d_aa_backward",
       "images input_size"},
      {described,
       "upsample_nearest1d_backward upsample_nearest3d_backward _upsample_nearest_exact1d_backward "
       "_upsample_nearest_exact3d_backward upsample_linear1d_backward upsample_bicubic2d_backward "
       "_upsample_bicubic2d_aa_backward",
       "contiguous input_size"},
      {described,
       "embedding_backward embedding_dense_backward _embedding_bag_backward _embedding_bag_dense_backward",
       "rows num_weights"},
      {described, "_prelu_kernel_backward log_sigmoid_forward", "dense self, dense self"},
      {described, "rrelu_with_noise_functional", "dense self, dense noise"},
      {described, "_weight_norm_differentiable_backward _weight_norm_interface_backward",
       "dense saved_v, dense saved_g"},
      {described, "_fused_rms_norm_backward", "scaled grad_out, contiguous weight"},
      {described, "grid_sampler_2d_backward grid_sampler_3d_backward _grid_sampler_2d_cpu_fallback_backward",
       "contiguous input, contiguous grid"},
      {described, "native_batch_norm_backward batch_norm_backward native_group_norm_backward",
       "dense grad_out, dense weight, dense weight"},
      {described, "native_layer_norm_backward", "scaled grad_out, optional weight, optional bias"},
      {described, "linear_backward", "contiguous self, contiguous weight, first weight"},
      {described, "conv_tbc_backward", "contiguous input, contiguous weight, contiguous bias"},
      {described, "_thnn_differentiable_gru_cell_backward",
       "contiguous input_gates, contiguous hidden_gates, dense hx, contiguous input_bias, contiguous "
       "hidden_bias"},
      {described, "_thnn_differentiable_lstm_cell_backward",
       "contiguous input_gates, contiguous hidden_gates, dense cx, contiguous input_bias, contiguous "
       "hidden_bias"},
  };
}

}  // namespace pt2
