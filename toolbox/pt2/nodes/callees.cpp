#include "pt2/nodes/callees.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "pt2/operators/higher_order.h"
#include "pt2/text/words.h"

namespace pt2 {
namespace {

constexpr std::size_t kByKeywordOnly = static_cast<std::size_t>(-1);

enum class Allowed {
  nothing_else,
  text,     // names a module of another runtime, which Python cannot call
  numbers,  // numbers, where torch would also call a function
  never     // torch calls an attribute of it, even for a graph
};

struct Callee {
  std::string_view name;
  std::size_t position;  // among positional arguments
  std::string_view keyword;
  Allowed allowed = Allowed::nothing_else;
  bool gets_rest = false;  // called with the arguments after it
};

/// Subclasses of HigherOrderOperator in torch 2.13: torch/_higher_order_ops,
/// torch/_functorch/autograd_function.py, torch/_prims/rng_prims.py and others.
constexpr Callee kCallees[] = {
    {"aoti_call_delegate", 0, "lowered_module", Allowed::text},
    {"aoti_call_delegate", 1, "original_gm"},
    {"associative_scan", 0, "combine_fn"},
    {"auto_functionalized", 0, "_mutable_op", Allowed::nothing_else, true},
    {"auto_functionalized_v2", 0, "_mutable_op", Allowed::nothing_else, true},
    {"autograd_function_apply", 0, "fwd"},
    {"autograd_function_apply", 1, "bwd"},
    {"cond", 1, "true_fn"},
    {"cond", 2, "false_fn"},
    {"control_deps", 1, "subgraph", Allowed::nothing_else, true},
    {"custom_function_call", 0, "autograd_function", Allowed::never},  // .apply(*args), which modules have
    {"dynamo_bypassing_wrapper", 0, "wrapper_fn_or_key"},
    {"dynamo_bypassing_wrapper", 1, "inner_fn"},
    {"executorch_call_delegate", 0, "lowered_module", Allowed::text},
    {"flat_apply", 0, "func"},
    {"flex_attention", 3, "score_mod"},
    {"flex_attention", 4, "block_mask"},  // a tuple whose last item is called
    {"flex_attention_backward", 7, "fw_graph"},
    {"flex_attention_backward", 8, "joint_graph"},
    {"flex_attention_backward", 9, "block_mask"},
    {"foreach_map", 0, "fn", Allowed::nothing_else, true},
    {"graphsafe_run_with_rng_state", 0, "op", Allowed::nothing_else, true},
    {"hints_wrapper", 0, "body_fn"},
    {"inductor_compiled_code", 0, "func"},
    {"invoke_leaf_function", 0, "real_fn_callable"},
    {"invoke_leaf_function", 1, "fake_fn_callable"},
    {"invoke_quant", 0, "subgraph", Allowed::nothing_else, true},
    {"invoke_quant_packed", 0, "subgraph", Allowed::nothing_else, true},
    {"invoke_subgraph", 0, "subgraph"},
    {"local_map_hop", 0, "gm", Allowed::nothing_else, true},
    {"map", 0, "xs"},
    {"map_impl", 0, "f"},
    {"out_dtype", 0, "op"},
    {"register_hook", 1, "hook_body"},
    {"run_and_save_rng_state", 0, "op", Allowed::nothing_else, true},
    {"run_const_graph", 0, "graph"},
    {"run_dtensor_rng_op", 2, "op", Allowed::nothing_else, true},
    {"run_with_rng_state", 1, "op", Allowed::nothing_else, true},
    {"scan", 0, "combine_fn"},
    {"strict_mode", 0, "callable"},
    {"tag_activation_checkpoint", 0, "gmod", Allowed::nothing_else, true},
    {"trace_wrapped", kByKeywordOnly, "fn", Allowed::nothing_else, true},
    {"triton_kernel_wrapper_functional", 2, "grid", Allowed::numbers},
    {"triton_kernel_wrapper_mutation", 2, "grid", Allowed::numbers},
    {"while_loop", 0, "cond_fn"},
    {"while_loop", 1, "body_fn"},
    {"while_loop_stack_output", 0, "cond_fn"},
    {"while_loop_stack_output", 1, "body_fn"},
    {"with_effects", 1, "op", Allowed::nothing_else, true},
    {"wrap", 0, "func", Allowed::nothing_else, true},
    {"wrap_activation_checkpoint", 0, "function", Allowed::nothing_else, true},
    {"wrap_activation_checkpoint", kByKeywordOnly, "context_fn"},  // of torch.utils.checkpoint
    {"wrap_with_autocast", 4, "wrapped_func", Allowed::nothing_else, true},
    {"wrap_with_set_grad_enabled", 1, "wrapped_func", Allowed::nothing_else, true},
};

constexpr std::string_view kCallNothing = "_export_tracepoint call_torchbind inline_asm_elementwise print";

/// Source: GraphModuleDeserializer.deserialize_hoo_inputs.
struct PassedArguments {
  std::vector<const Argument*> positional;
  std::vector<const NamedArgument*> by_keyword;

  explicit PassedArguments(const Node& node) {
    for (const NamedArgument& input : node.inputs) {
      if (input.kind == ArgumentKind::POSITIONAL || input.name.empty()) {
        positional.push_back(&input.arg);
      } else {
        by_keyword.push_back(&input);
      }
    }
  }
};

bool is_of_numbers(const Argument& argument) {
  return argument.is<Argument::as_int>() || argument.is<Argument::as_ints>() ||
         argument.is<Argument::as_int_lists>();
}

bool is_allowed(const Argument& argument, Allowed allowed) {
  if (argument.is<Argument::as_none>()) return true;
  if (allowed == Allowed::never) return false;
  if (argument.is<Argument::as_graph>() || argument.is<Argument::as_operator>()) return true;
  if (allowed == Allowed::text) return argument.is<Argument::as_string>();
  return allowed == Allowed::numbers && is_of_numbers(argument);
}

/// Positional arguments count from `first` on.
const Argument* find_called_value(std::string_view name, const PassedArguments& call, std::size_t first) {
  for (const Callee& callee : kCallees) {
    if (callee.name != name) continue;
    const auto check = [&](const Argument& argument, std::size_t rest) -> const Argument* {
      if (!is_allowed(argument, callee.allowed)) return &argument;
      const auto* const op = argument.get_if<Argument::as_operator>();
      const std::string_view inner = op == nullptr ? std::string_view() : higher_order_name(*op);
      if (inner.empty() || has_word(kCallNothing, inner)) return nullptr;
      // Does not follow items of lists and arguments of graphs.
      return callee.gets_rest && has_known_callees(inner) ? find_called_value(inner, call, rest) : &argument;
    };
    if (callee.position != kByKeywordOnly && first + callee.position < call.positional.size()) {
      const std::size_t at = first + callee.position;
      if (const Argument* const found = check(*call.positional[at], at + 1)) return found;
    }
    for (const NamedArgument* const input : call.by_keyword) {
      if (input->name != callee.keyword) continue;
      if (const Argument* const found = check(input->arg, first)) return found;
    }
  }
  return nullptr;
}

}  // namespace

bool has_known_callees(std::string_view higher_order) {
  return has_word(kCallNothing, higher_order) ||
         std::any_of(std::begin(kCallees), std::end(kCallees),
                     [&](const Callee& callee) { return callee.name == higher_order; });
}

const Argument* find_called_value(const Node& node) {
  const std::string_view name = higher_order_name(node.target);
  return name.empty() ? nullptr : find_called_value(name, PassedArguments(node), 0);
}

}  // namespace pt2
