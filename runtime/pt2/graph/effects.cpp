#include "pt2/graph/effects.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "pt2/graph/walk.h"
#include "pt2/text/affix.h"

namespace pt2 {
namespace {

/// `torch.ops.aten.add_.Tensor` is of the namespace `aten`, has the base `add_` and the overload `Tensor`.
struct Operator {
  std::string_view name_space;  // empty: none of torch.ops
  std::string_view base;
  std::string_view overload;  // empty: has none, as higher-order operators do
};

Operator operator_of(std::string_view target) {
  constexpr std::string_view kPrefix = "torch.ops.";
  if (target.substr(0, kPrefix.size()) != kPrefix) return {};
  target.remove_prefix(kPrefix.size());
  const std::size_t first = target.find('.');
  if (first == target.npos) return {};
  const std::size_t second = target.find('.', first + 1);
  if (second == target.npos) return {target.substr(0, first), target.substr(first + 1), {}};
  return {target.substr(0, first), target.substr(first + 1, second - first - 1), target.substr(second + 1)};
}

template <std::size_t N>
bool is_one_of(const std::string_view (&sorted)[N], std::string_view name) {
  return std::binary_search(std::begin(sorted), std::end(sorted), name);
}

/// In aten and prims, beside those whose name ends in `_`: what draws random numbers, asserts, prints, or
/// changes an input or a state.
constexpr std::string_view kWithEffects[] = {
    "_assert_async",
    "_assert_scalar",
    "_assert_tensor_metadata",
    "_batch_norm_impl_index",
    "_batch_norm_with_update",
    "_cudnn_attention_backward",
    "_cudnn_attention_forward",
    "_cudnn_init_dropout_state",
    "_cudnn_rnn",
    "_cummax_helper",
    "_cummin_helper",
    "_efficient_attention_forward",
    "_flash_attention_forward",
    "_flash_attention_forward_no_dropout_inplace",
    "_functional_assert_async",
    "_functional_assert_scalar",
    "_functional_sym_constrain_range",
    "_functional_sym_constrain_range_for_size",
    "_fused_dropout",
    "_fused_moving_avg_obs_fq_helper",
    "_fused_sdp_choice",
    "_linalg_check_errors",
    "_lstm_mps",
    "_make_dep_token",
    "_native_batch_norm_legit",
    "_nested_tensor_softmax_with_shape",
    "_print",
    "_sample_dirichlet",
    "_scaled_dot_product_attention_math",
    "_scaled_dot_product_attention_math_for_mps",
    "_scaled_dot_product_cudnn_attention",
    "_scaled_dot_product_cudnn_attention_backward",
    "_scaled_dot_product_efficient_attention",
    "_scaled_dot_product_efficient_attention_backward",
    "_scaled_dot_product_flash_attention",
    "_scaled_dot_product_flash_attention_for_cpu",
    "_scaled_dot_product_fused_attention_overrideable",
    "_standard_gamma",
    "_triton_scaled_dot_attention",
    "_unsafe_masked_index_put_accumulate",
    "alpha_dropout",
    "batch_norm",
    "bernoulli",
    "binomial",
    "cauchy",
    "copy_to",
    "cudnn_batch_norm",
    "dropout",
    "exponential",
    "feature_alpha_dropout",
    "feature_dropout",
    "fused_moving_avg_obs_fake_quant",
    "geometric",
    "gru",
    "instance_norm",
    "log_normal",
    "lstm",
    "miopen_batch_norm",
    "miopen_rnn",
    "multinomial",
    "native_batch_norm",
    "native_dropout",
    "normal",
    "normal_functional",
    "poisson",
    "rand",
    "rand_like",
    "randint",
    "randint_like",
    "randn",
    "randn_like",
    "random",
    "randperm",
    "record_stream",
    "resize",
    "retain_grad",
    "rnn_relu",
    "rnn_tanh",
    "rrelu",
    "rrelu_with_noise",
    "rrelu_with_noise_functional",
    "scaled_dot_product_attention",
    "set_data",
    "sym_constrain_range",
    "sym_constrain_range_for_size",
    "uniform",
};

/// Overloads that write to a keyword argument, beside `out` and `..._out`; no pure operator has one of that
/// name.
constexpr std::string_view kOutOverloads[] = {
    "L",
    "OutScalar_Other",
    "OutScalar_Self",
    "OutTensor",
    "Q",
    "U",
    "X",
    "a",
    "dim_max",
    "dim_min",
    "dim_values",
    "eigenvalues",
    "eigvals",
    "grad_input",
    "inverse",
    "out_",
    "out_mode",
    "out_rcond_tensor",
    "out_tol_tensor",
    "output",
    "result",
    "sign",
    "values",
    "values_stable",
};

/// Those of kWithEffects that change no more than their running statistics.
constexpr std::string_view kNorms[] = {
    "_batch_norm_impl_index", "_batch_norm_with_update", "_native_batch_norm_legit", "batch_norm",
    "cudnn_batch_norm",       "instance_norm",           "miopen_batch_norm",        "native_batch_norm",
};

/// Those with effects that may change what any of their inputs hold.
constexpr std::string_view kWriters[] = {
    "_cudnn_init_dropout_state",
    "_cummax_helper",
    "_cummin_helper",
    "_flash_attention_forward_no_dropout_inplace",
    "_fused_moving_avg_obs_fq_helper",
    "copy_to",
    "fused_moving_avg_obs_fake_quant",
    "record_stream",
    "resize",
    "retain_grad",
    "rrelu_with_noise",
    "rrelu_with_noise_",
    "set_data",
};

/// In aten and prims: what declares that it returns views, and composites that may return their input.
constexpr std::string_view kViews[] = {
    "_autocast_to_full_precision",
    "_autocast_to_reduced_precision",
    "_conj",
    "_fw_primal",
    "_grad_sum_to_size",
    "_indices",
    "_make_dual",
    "_ncf_unsqueeze",
    "_ncf_view",
    "_neg_view",
    "_nested_get_values",
    "_nested_view_from_buffer",
    "_nested_view_from_jagged",
    "_reshape_alias",
    "_sparse_broadcast_to",
    "_test_autograd_multiple_dispatch_view",
    "_unpack_dual",
    "_unsafe_view",
    "_values",
    "adjoint",
    "alias",
    "as_strided",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_in_dim",
    "broadcast_tensors",
    "broadcast_to",
    "ccol_indices",
    "chunk",
    "coalesce",
    "col_indices",
    "collapse_view",
    "conj",
    "contiguous",
    "cpu",
    "crow_indices",
    "cuda",
    "data",
    "detach",
    "diagonal",
    "dropout",
    "dsplit",
    "einsum",
    "expand",
    "expand_as",
    "feature_dropout",
    "flatten",
    "hsplit",
    "imag",
    "indices",
    "lift",
    "lift_fresh",
    "linalg_diagonal",
    "mH",
    "mT",
    "matrix_H",
    "meshgrid",
    "moveaxis",
    "movedim",
    "narrow",
    "numpy_T",
    "permute",
    "pin_memory",
    "positive",
    "ravel",
    "real",
    "reshape",
    "reshape_as",
    "resolve_conj",
    "resolve_neg",
    "row_indices",
    "select",
    "slice",
    "slice_inverse",
    "split",
    "split_dim",
    "split_with_sizes",
    "squeeze",
    "sum_to_size",
    "swapaxes",
    "swapdims",
    "t",
    "tensor_split",
    "to",
    "to_dense",
    "transpose",
    "type_as",
    "unbind",
    "unflatten",
    "unfold",
    "unsafe_chunk",
    "unsafe_split",
    "unsafe_split_with_sizes",
    "unsqueeze",
    "values",
    "view",
    "view_as",
    "view_as_complex",
    "view_as_real",
    "view_of",
    "view_of_dtype",
    "vsplit",
};

/// Higher-order operators that do nothing but to run their subgraphs.
constexpr std::string_view kPureHigherOrder[] = {
    "associative_scan",
    "cond",
    "flex_attention",
    "flex_attention_backward",
    "hints_wrapper",
    "invoke_subgraph",
    "map",
    "map_impl",
    "out_dtype",
    "scan",
    "strict_mode",
    "tag_activation_checkpoint",
    "while_loop",
    "wrap",
    "wrap_activation_checkpoint",
    "wrap_with_autocast",
    "wrap_with_set_grad_enabled",
};

/// Functions that are no operators, and work on symbols or numbers only.
bool is_pure_function(std::string_view target) {
  for (const std::string_view prefix : {"_operator.", "math.", "torch.sym_", "torch._sym_"}) {
    if (target.substr(0, prefix.size()) == prefix) return true;
  }
  return false;
}

/// Namespaces of which it is known what their operators do.
bool is_known(const Operator& op) {
  return op.name_space == "aten" || op.name_space == "prims" || op.name_space == "quantized_decomposed";
}

/// `add_`, `__iadd__`; `__and__` is not in place.
bool is_in_place(const Operator& op) {
  if (!ends_with(op.base, "__")) return ends_with(op.base, "_");
  return op.base.substr(0, 3) == "__i" && op.base != "__is__" && op.base != "__isnot__";
}

/// Optimizer steps and others of which any input may be changed.
bool writes_several(const Operator& op) {
  return op.base.substr(0, 7) == "_fused_" || op.base.substr(0, 5) == "_amp_" || is_one_of(kWriters, op.base);
}

bool has_out(const Operator& op) {
  return op.overload == "out" || ends_with(op.overload, "_out") || is_one_of(kOutOverloads, op.overload);
}

bool any_node_has_effects(const Node& node) {
  bool found = false;
  for (const NamedArgument& input : node.inputs) {
    for_each_subgraph(input.arg, [&](const GraphArgument& subgraph) {
      for (const Node& inner : subgraph.graph->nodes) found = found || has_effects(inner);
    });
  }
  return found;
}

}  // namespace

bool has_effects(const Node& node) {
  const Operator op = operator_of(node.target);
  if (op.name_space.empty()) return !is_pure_function(node.target);
  if (is_known(op)) return is_in_place(op) || has_out(op) || is_one_of(kWithEffects, op.base);
  return op.name_space != "higher_order" || !is_one_of(kPureHigherOrder, op.base) ||
         any_node_has_effects(node);
}

bool writes_input(const Node& node, std::size_t index) {
  const Operator op = operator_of(node.target);
  if (!is_known(op)) return true;
  const NamedArgument& input = node.inputs[index];
  if (is_in_place(op) && index == 0) return true;
  if (has_out(op) && (input.kind != ArgumentKind::POSITIONAL || input.name == "output")) return true;
  if (is_one_of(kNorms, op.base)) return input.name == "running_mean" || input.name == "running_var";
  return writes_several(op);
}

bool is_barrier(const Node& node) {
  return operator_of(node.target).name_space.empty() && !is_pure_function(node.target);
}

bool may_return_view_of(const Node& node, std::size_t index) {
  const Operator op = operator_of(node.target);
  if (op.name_space.empty()) return !is_pure_function(node.target);
  if (!is_known(op)) return true;
  if (has_out(op)) return writes_input(node, index);
  if (is_in_place(op)) return op.base == "set_" || writes_input(node, index);
  return is_one_of(kViews, op.base) || writes_several(op);
}

}  // namespace pt2
