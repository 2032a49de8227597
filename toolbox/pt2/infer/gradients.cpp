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
  require_few(count, kMostTensors, " tensors");
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
      {for_each_element, "_foreach"},  // and all operators whose names begin so
      {described, "images self",
       "_adaptive_avg_pool2d_backward adaptive_max_pool2d_backward avg_pool2d_backward max_pool2d_backward "
       "max_pool2d_with_indices_backward max_pool3d_with_indices_backward"},
      {described, "contiguous self",
       "_adaptive_avg_pool3d_backward adaptive_max_pool3d_backward avg_pool3d_backward "
       "fractional_max_pool2d_backward fractional_max_pool3d_backward gather_backward nll_loss2d_backward "
       "nll_loss_backward reflection_pad1d_backward reflection_pad2d_backward reflection_pad3d_backward "
       "replication_pad1d_backward replication_pad2d_backward replication_pad3d_backward "
       "_standard_gamma_grad multi_margin_loss_backward multilabel_margin_loss_backward _pdist_backward"},
      {described, "dense self", "glu_backward infinitely_differentiable_gelu_backward"},
      {described, "dense grad_output", "log_sigmoid_backward rrelu_with_noise_backward"},
      {described, "dense grad",
       "fake_quantize_per_tensor_affine_cachemask_backward "
       "fake_quantize_per_channel_affine_cachemask_backward"},
      {described, "contiguous x1", "_cdist_backward"},
      {described, "contiguous log_probs", "_ctc_loss_backward"},
      {described, "contiguous x", "_dirichlet_grad glu_backward_jvp"},
      {described, "contiguous input", "cummaxmin_backward cumprod_backward masked_select_backward"},
      {described, "contiguous output", "_masked_softmax_backward"},
      {described, "contiguous data", "_segment_reduce_backward"},
      {described, "contiguous indices", "_embedding_bag_per_sample_weights_backward"},
      {described, "dense glu", "glu_jvp"},
      {described, "contiguous input_sizes",
       "diagonal_backward select_backward slice_backward unfold_backward"},
      {described, "contiguous sizes",
       "masked_scatter_backward trace_backward value_selecting_reduction_backward"},
      {described, "contiguous self_sizes", "index_select_backward"},
      {described, "images input_size",
       "upsample_nearest2d_backward _upsample_nearest_exact2d_backward upsample_bilinear2d_backward "
       "upsample_trilinear3d_backward _upsample_bilinear2d_aa_backward"},
      {described, "contiguous input_size",
       "upsample_nearest1d_backward upsample_nearest3d_backward _upsample_nearest_exact1d_backward "
       "_upsample_nearest_exact3d_backward upsample_linear1d_backward upsample_bicubic2d_backward "
       "_upsample_bicubic2d_aa_backward"},
      {described, "rows num_weights",
       "embedding_backward embedding_dense_backward _embedding_bag_backward _embedding_bag_dense_backward"},
      {described, "dense self, dense self", "_prelu_kernel_backward log_sigmoid_forward"},
      {described, "dense self, dense noise", "rrelu_with_noise_functional"},
      {described, "dense saved_v, dense saved_g",
       "_weight_norm_differentiable_backward _weight_norm_interface_backward"},
      {described, "scaled grad_out, contiguous weight", "_fused_rms_norm_backward"},
      {described, "contiguous input, contiguous grid",
       "grid_sampler_2d_backward grid_sampler_3d_backward _grid_sampler_2d_cpu_fallback_backward"},
      {described, "dense grad_out, dense weight, dense weight",
       "native_batch_norm_backward batch_norm_backward native_group_norm_backward"},
      {described, "scaled grad_out, optional weight, optional bias", "native_layer_norm_backward"},
      {described, "contiguous self, contiguous weight, first weight", "linear_backward"},
      {described, "contiguous input, contiguous weight, contiguous bias", "conv_tbc_backward"},
      {described,
       "contiguous input_gates, contiguous hidden_gates, dense hx, contiguous input_bias, contiguous "
       "hidden_bias",
       "_thnn_differentiable_gru_cell_backward"},
      {described,
       "contiguous input_gates, contiguous hidden_gates, dense cx, contiguous input_bias, contiguous "
       "hidden_bias",
       "_thnn_differentiable_lstm_cell_backward"},
  };
}

}  // namespace pt2
