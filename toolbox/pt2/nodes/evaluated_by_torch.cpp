#include "pt2/nodes/evaluated_by_torch.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "pt2/operators/higher_order.h"
#include "pt2/text/affix.h"
#include "pt2/text/python_name.h"
#include "pt2/text/words.h"

namespace pt2 {
namespace {

struct ReadWords {
  std::string_view names;
  NameIsRead when;
};

using When = NameIsRead;

/// All are bound before anything is read. torch.fx numbers most values with these names, but not the
/// parameters of functions, which are the inputs of graphs, `forward_arg_names`, and keys of keyword
/// arguments (_Namespace, _gen_python_code and _PyTreeCodeGen in torch/fx/graph.py). dev/torch_model.py
/// compares.
constexpr ReadWords kReadNames[] = {
    // self is for weights and subgraphs, _in_spec, _out_spec and _guards_fn.
    {"self torch fx_pytree pytree", When::always},
    {"device", When::for_device},
    {"inf infj nan nanj", When::for_special_number},
    {"complex", When::for_complex},
    {"getattr", When::for_quoted_part},
    {"Counter OrderedDict bytearray defaultdict deque frozenset set tensor", When::for_constant},
};

constexpr std::size_t kByKeyword = static_cast<std::size_t>(-1);

struct UsedArgument {
  std::string_view operators;
  std::size_t position;  // among positional arguments
  std::string_view keyword;
  ArgumentUse use;
};

using Use = ArgumentUse;

/// Subclasses of HigherOrderOperator in torch 2.1 to 2.15: torch/_higher_order_ops,
/// torch/_functorch/autograd_function.py, torch/_prims/rng_prims.py and others. dev/torch_model.py compares.
constexpr UsedArgument kUsedArguments[] = {
    {"_export_tracepoint", kByKeyword, "", Use::nothing},
    {"aoti_call_delegate executorch_call_delegate", 0, "lowered_module", Use::called_by_name},
    {"aoti_call_delegate", 1, "original_gm", Use::called},
    {"associative_scan scan", 0, "combine_fn", Use::called},
    {"auto_functionalized auto_functionalized_v2", 0, "_mutable_op", Use::called},
    {"auto_functionalized", 0, "op", Use::called},  // torch 2.2
    {"autograd_function_apply", 0, "fwd", Use::called},
    {"autograd_function_apply", 1, "bwd", Use::called},
    {"call_torchbind", 1, "method", Use::looked_up},
    {"cond", 1, "true_fn", Use::called},
    {"cond", 2, "false_fn", Use::called},
    {"control_deps", 1, "subgraph", Use::called_with_rest},
    {"custom_function_call", 0, "autograd_function", Use::reached},  // .apply(*args), which modules have
    {"dynamo_bypassing_wrapper", 0, "wrapper_fn_or_key", Use::reached},
    {"dynamo_bypassing_wrapper", 1, "inner_fn", Use::called},
    {"flat_apply", 0, "func", Use::called},
    {"flex_attention", 3, "score_mod", Use::called},
    {"flex_attention", 4, "block_mask", Use::called},  // a tuple whose last item is called
    {"flex_attention_backward", 7, "fw_graph", Use::called},
    {"flex_attention_backward", 8, "joint_graph", Use::called},
    {"flex_attention_backward", 9, "block_mask", Use::called},
    {"flex_gemm", 0, "gemm_op", Use::called},
    {"flex_gemm", 1, "body_fn", Use::called},
    {"foreach_map", 0, "fn", Use::called_with_rest},
    {"graphsafe_run_with_rng_state run_and_save_rng_state", 0, "op", Use::called_with_rest},
    {"graphsafe_run_with_rng_state", kByKeyword, "rng_state", Use::reached},
    {"hints_wrapper", 0, "body_fn", Use::called},
    {"inductor_compiled_code", 0, "func", Use::reached},
    {"inline_asm_elementwise", kByKeyword, "asm_str", Use::compiled},
    {"inline_asm_elementwise", kByKeyword, "constraints", Use::compiled},
    {"invoke_leaf_function", 0, "real_fn_callable", Use::called},
    {"invoke_leaf_function", 1, "fake_fn_callable", Use::called},
    {"invoke_quant invoke_quant_packed", 0, "subgraph", Use::called_with_rest},
    {"invoke_subgraph", 0, "subgraph", Use::called},
    {"local_map_hop", 0, "gm", Use::called_with_rest},
    {"map", 0, "xs", Use::called},
    {"map_impl", 0, "f", Use::called},
    {"out_dtype", 0, "op", Use::called},
    {"print", 0, "format_str", Use::formatted},
    {"register_hook", 1, "hook_body", Use::called},
    {"run_const_graph", 0, "graph", Use::called},
    {"run_dtensor_rng_op", 2, "op", Use::called_with_rest},
    {"run_with_rng_state with_effects", 1, "op", Use::called_with_rest},
    {"strict_mode", 0, "callable", Use::called},
    {"switch", 1, "branches", Use::called},  // a list whose items are called
    {"tag_activation_checkpoint", 0, "gmod", Use::called_with_rest},
    {"trace_wrapped", kByKeyword, "fn", Use::called_with_rest},
    {"triton_kernel_wrapper_functional triton_kernel_wrapper_mutation", 2, "grid", Use::called_or_numbers},
    {"while_loop while_loop_stack_output", 0, "cond_fn", Use::called},
    {"while_loop while_loop_stack_output", 1, "body_fn", Use::called},
    {"wrap", 0, "func", Use::called_with_rest},
    {"wrap_activation_checkpoint", 0, "function", Use::called_with_rest},
    {"wrap_activation_checkpoint", kByKeyword, "context_fn", Use::reached},  // of torch.utils.checkpoint
    {"wrap_with_autocast", 0, "device_type", Use::looked_up},
    {"wrap_with_autocast", 4, "wrapped_func", Use::called_with_rest},
    {"wrap_with_set_grad_enabled", 1, "wrapped_func", Use::called_with_rest},
};

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

/// A field of str.format() can read attributes and items: `{0.__class__}`.
bool is_plain_format(std::string_view text) {
  while (true) {
    const std::size_t bracket = text.find_first_of("{}");
    if (bracket == text.npos) return true;
    const bool is_escaped = text.substr(bracket + 1, 1) == text.substr(bracket, 1);
    if (is_escaped) {
      text.remove_prefix(bracket + 2);
      continue;
    }
    const std::size_t end = text.find_first_of("{}", bracket + 1);
    if (text[bracket] == '}' || end == text.npos || text[end] == '{') return false;
    const std::string_view field = text.substr(bracket + 1, end - bracket - 1);
    const std::string_view name = field.substr(0, field.find_first_of("!:"));
    if (!is_identifier("_" + std::string(name))) return false;
    text.remove_prefix(end + 1);
  }
}

bool is_allowed(const Argument& argument, ArgumentUse use) {
  if (argument.is<Argument::as_none>()) return true;
  const auto* const text = argument.get_if<Argument::as_string>();
  switch (use) {
    case Use::nothing:
      return true;
    case Use::called_or_numbers:
      if (argument.is<Argument::as_int>() || argument.is<Argument::as_ints>() ||
          argument.is<Argument::as_int_lists>())
        return true;
      [[fallthrough]];
    case Use::called:
    case Use::called_with_rest:
      return argument.is<Argument::as_graph>() || argument.is<Argument::as_operator>();
    case Use::called_by_name:
      return text != nullptr;
    case Use::formatted:
      return text != nullptr && is_plain_format(*text);
    case Use::looked_up:
      return text != nullptr || argument.is<Argument::as_int>();
    case Use::reached:
    case Use::compiled:
      break;
  }
  return false;
}

bool has_known_uses(std::string_view higher_order) {
  return std::any_of(std::begin(kUsedArguments), std::end(kUsedArguments),
                     [&](const UsedArgument& used) { return has_word(used.operators, higher_order); });
}

/// Positional arguments count from `first` on.
EvaluatedArgument find_evaluated_argument(std::string_view name, const PassedArguments& call,
                                          std::size_t first) {
  for (const UsedArgument& used : kUsedArguments) {
    if (!has_word(used.operators, name)) continue;
    const auto check = [&](const Argument& argument, std::size_t rest) -> EvaluatedArgument {
      if (!is_allowed(argument, used.use)) return {&argument, used.use};
      const auto* const op = argument.get_if<Argument::as_operator>();
      const std::string_view inner = op == nullptr ? std::string_view() : higher_order_name(*op);
      if (inner.empty()) return {};
      // Does not follow items of lists and arguments of graphs.
      if (used.use != Use::called_with_rest || !has_known_uses(inner)) return {&argument, used.use};
      return find_evaluated_argument(inner, call, rest);
    };
    if (used.position != kByKeyword && first + used.position < call.positional.size()) {
      const std::size_t at = first + used.position;
      const EvaluatedArgument found = check(*call.positional[at], at + 1);
      if (found.argument != nullptr) return found;
      continue;  // Python does not take it twice; the keyword may be an argument of another operator
    }
    for (const NamedArgument* const input : call.by_keyword) {
      if (input->name != used.keyword) continue;
      const EvaluatedArgument found = check(input->arg, first);
      if (found.argument != nullptr) return found;
    }
  }
  return {};
}

bool has_special_number(const Argument& argument) {
  const auto is_special = [](double number) { return !std::isfinite(number); };
  const auto has_special = [&](const std::vector<double>& numbers) {
    return std::any_of(numbers.begin(), numbers.end(), is_special);
  };
  if (const auto* const number = argument.get_if<Argument::as_float>()) return is_special(*number);
  if (const auto* const numbers = argument.get_if<Argument::as_floats>()) return has_special(*numbers);
  if (const auto* const lists = argument.get_if<Argument::as_float_lists>()) {
    return std::any_of(lists->begin(), lists->end(), has_special);
  }
  const auto* const number = argument.get_if<Argument::as_complex>();
  return number != nullptr && (is_special(number->real) || is_special(number->imag));
}

}  // namespace

ReadNames::ReadNames(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    for (const NamedArgument& input : node.inputs) add(input.arg);
    if (starts_with(node.target, "math.") || starts_with(node.target, "_operator.")) {
      std::string name = node.target;
      std::replace(name.begin(), name.end(), '.', '_');
      functions_.insert(name);
    }
  }
  for (const Argument& output : graph.outputs) add(output);
}

void ReadNames::add(const Argument& argument) {
  if (argument.is<Argument::as_device>()) set(When::for_device, true);
  if (argument.is<Argument::as_custom_obj>()) set(When::for_constant, true);
  if (argument.is<Argument::as_complex>()) set(When::for_complex, true);
  if (has_special_number(argument)) set(When::for_special_number, true);
  if (const auto* const dict = argument.get_if<Argument::as_string_to_argument>()) {
    for (const auto& [key, item] : *dict) add(item);
  }
}

bool ReadNames::contains(std::string_view name) const {
  for (const ReadWords& read : kReadNames) {
    if (has_word(read.names, name)) return is_read_[static_cast<std::size_t>(read.when)];
  }
  return functions_.contains(name);
}

EvaluatedArgument find_evaluated_argument(const Node& node) {
  const std::string_view name = higher_order_name(node.target);
  return name.empty() ? EvaluatedArgument{} : find_evaluated_argument(name, PassedArguments(node), 0);
}

}  // namespace pt2
