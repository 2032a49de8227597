#include "pt2/infer/rules.h"

#include "pt2/text/affix.h"
#include "pt2/text/words.h"

namespace pt2 {
namespace {

// Source: aten/src/ATen/autocast_mode.cpp and autocast_mode.h.
constexpr std::string_view kOfDtype =
    "_convolution addbmm addmm baddbmm bmm conv1d conv2d conv3d conv_tbc conv_transpose1d "
    "conv_transpose2d conv_transpose3d linalg_vecdot linear matmul mm prelu scaled_dot_product_attention";
constexpr std::string_view kOfDtypeOnCuda =
    "addmv addr chain_matmul convolution einsum gru_cell linalg_multi_dot lstm_cell mv rnn_relu_cell "
    "rnn_tanh_cell";
constexpr std::string_view kOfFloat =
    "avg_pool3d binary_cross_entropy cdist cosine_embedding_loss ctc_loss grid_sampler hinge_embedding_loss "
    "huber_loss kl_div l1_loss margin_ranking_loss mse_loss multi_margin_loss multilabel_margin_loss "
    "nanquantile nll_loss poisson_nll_loss polar prod quantile replication_pad1d replication_pad2d "
    "replication_pad3d smooth_l1_loss soft_margin_loss stft trace triplet_margin_loss view_as_complex";
constexpr std::string_view kOfFloatOnCuda =
    "acos asin cosh cosine_similarity cumprod cumsum dist erfinv exp expm1 group_norm layer_norm log "
    "log10 log1p log2 log_softmax logsumexp norm nuclear_norm pdist pow reciprocal renorm rms_norm rsqrt "
    "sinh softmax softmin softplus sum tan";

}  // namespace

std::optional<ScalarType> dtype_below(const Autocast& autocast, std::string_view name) {
  if (autocast.dtype == ScalarType::UNKNOWN) return std::nullopt;
  const bool is_cpu = autocast.device_type == "cpu";
  if (has_word(kOfDtype, name) || (!is_cpu && has_word(kOfDtypeOnCuda, name))) return autocast.dtype;
  const bool is_float =
      has_word(kOfFloat, name) ||
      (is_cpu ? starts_with(name, "fft_") || starts_with(name, "linalg_") : has_word(kOfFloatOnCuda, name));
  return is_float ? std::optional(ScalarType::FLOAT) : std::nullopt;
}

Autocast autocast_within(const Node& node, const Autocast& around) {
  if (node.target != "torch.ops.higher_order.wrap_with_autocast" || node.inputs.size() < 3) return around;
  const auto* const device = node.inputs[0].arg.get_if<Argument::as_string>();
  const auto* const enabled = node.inputs[2].arg.get_if<Argument::as_bool>();
  if (device == nullptr || enabled == nullptr) return around;
  if (!*enabled) return *device == around.device_type ? Autocast() : around;
  const auto* const dtype = node.inputs[1].arg.get_if<Argument::as_scalar_type>();
  if (dtype != nullptr) return {*device, *dtype};
  return {*device, *device == "cpu" ? ScalarType::BFLOAT16 : ScalarType::HALF};
}

void follow_vmaps(Sizes& batches, const Node& node, const Operator* op, const Graph& graph,
                  const Bindings& hints, SizeTexts& texts) {
  constexpr std::string_view kTransforms = "torch._functorch.predispatch.";
  if (op == nullptr || !starts_with(node.target, kTransforms)) return;
  const std::string name = node.target.substr(kTransforms.size());
  const InferredCall call(node, *op, graph, hints, texts);
  if (name == "_vmap_increment_nesting") {
    batches.push_back(call.size("batch_size"));
  } else if (batches.empty()) {
    return;
  } else if (name == "_vmap_decrement_nesting") {
    batches.pop_back();
  } else if (name == "_remove_batch_dim") {
    require_sizes(call, "batch_size", {call.size("batch_size")}, {batches.back()});
  } else if (name == "_add_batch_dim") {
    const TensorType self = call.tensor("self");
    Sizes sizes = self.sizes;
    if (!sizes.empty()) sizes[call.dim("batch_dim", sizes.size())] = batches.back();
    require_sizes(call, "self", self.sizes, sizes);
  }
}

}  // namespace pt2
