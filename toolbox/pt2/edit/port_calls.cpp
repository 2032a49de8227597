#include "pt2/edit/port_calls.h"

#include <algorithm>
#include <iterator>

#include "pt2/edit/graph.h"
#include "pt2/nodes/arguments.h"
#include "pt2/nodes/default_value.h"
#include "pt2/nodes/moved_operators.h"
#include "pt2/operators/operator_schema.h"
#include "pt2/program.h"
#include "pt2/strings/argument_text.h"
#include "pt2/text/affix.h"
#include "pt2/versions/releases.h"
#include "pt2/versions/version.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/value_path.h"

namespace pt2 {
namespace {

std::string python_literal(const Argument& argument) {
  return argument_text(argument, [](const ValueName&) { return std::string("a value"); });
}

std::string default_literal(const OperatorArgument& argument) {
  return argument.default_value ? python_literal(argument_of(*argument.default_value, argument.type)) : "";
}

std::size_t count_not_in(const Operator& other, const Operator& op) {
  return static_cast<std::size_t>(
      std::count_if(op.arguments.begin(), op.arguments.end(), [&](const OperatorArgument& argument) {
        return argument_position(other, argument.name) == other.arguments.size();
      }));
}

/// The argument with the same name, or the only one that the two operators name differently. Higher-order
/// operators declare no types to compare.
const OperatorArgument* same_argument(const Operator& op, std::size_t at, const Operator& other) {
  const OperatorArgument& argument = op.arguments[at];
  const std::size_t known = argument_position(other, argument.name);
  if (known < other.arguments.size()) return &other.arguments[known];
  if (at >= other.arguments.size() || op.kind == OperatorKind::higher_order) return nullptr;
  const OperatorArgument& in_place = other.arguments[at];
  const bool is_renamed = argument_position(op, in_place.name) == op.arguments.size() &&
                          count_not_in(op, other) == 1 && count_not_in(other, op) == 1 &&
                          in_place.is_keyword_only == argument.is_keyword_only &&
                          without_optional(in_place.type).kind == without_optional(argument.type).kind;
  return is_renamed ? &in_place : nullptr;
}

struct PortedArguments {
  PortedArguments(const std::vector<NamedArgument>& given, const Operator& before, const Operator& after,
                  const std::string& release)
      : left_(given), before_(before), after_(after), torch_("torch " + release) {
    if (before.returns.size() != after.returns.size()) {
      lacks.push_back("has " + schemagen::counted(after.returns.size(), "result") + " in " + torch_ +
                      ", not " + std::to_string(before.returns.size()));
    }
    name_positions();
    port_all();
    for (NamedArgument& input : inputs) {
      if (is_by_position(input)) input.name.clear();
    }
  }

  std::vector<NamedArgument> inputs;
  std::vector<std::string> changes;
  std::vector<std::string> lacks;

 private:
  /// Positional arguments of higher-order operators have no names, which porting needs.
  void name_positions() {
    for (std::size_t i = 0; i < std::min(left_.size(), before_.arguments.size()); ++i) {
      if (!left_[i].name.empty()) continue;
      left_[i].name = before_.arguments[i].name;
      positional_.push_back(left_[i].name);
    }
  }

  bool is_by_position(const NamedArgument& input) const {
    return std::find(positional_.begin(), positional_.end(), input.name) != positional_.end();
  }

  bool follows_position(const OperatorArgument& next) const {
    return !inputs.empty() && is_by_position(inputs.back()) && !next.is_keyword_only;
  }

  void port_all() {
    const bool has_kinds = std::any_of(left_.begin(), left_.end(),
                                       [](const NamedArgument& input) { return input.kind.has_value(); });
    bool has_gap = false;  // later arguments must be given by name
    for (std::size_t at = 0; at < after_.arguments.size(); ++at) {
      const std::size_t count = inputs.size();
      port(at);
      has_gap = has_gap || inputs.size() == count;
      if (inputs.size() == count || !has_kinds) continue;
      std::optional<ArgumentKind>& kind = inputs.back().kind;
      const bool is_keyword = has_gap || after_.arguments[at].is_keyword_only;
      if (!kind) kind = ArgumentKind::POSITIONAL;
      if (is_keyword && kind == ArgumentKind::POSITIONAL) kind = ArgumentKind::KEYWORD;
    }
    for (const NamedArgument& input : left_) leave_out(input);
  }

  void port(std::size_t at) {
    const OperatorArgument& declared = after_.arguments[at];
    const OperatorArgument* const old = same_argument(after_, at, before_);
    const auto given = std::find_if(left_.begin(), left_.end(), [&](const NamedArgument& input) {
      return old != nullptr && input.name == old->name;
    });
    if (declared.type.kind == OperatorTypeKind::tuple) {
      lacks.push_back("takes a tuple as " + schemagen::quoted(declared.name) + " in " + torch_ +
                      ", but this release loads tuples as lists");
    }
    if (given != left_.end()) {
      if (old->name != declared.name) {
        changes.push_back("renamed argument " + schemagen::quoted(old->name) + " to " +
                          schemagen::quoted(declared.name));
      }
      inputs.push_back({declared.name, std::move(given->arg), given->kind});
      left_.erase(given);
    } else if (old != nullptr && old->default_value && default_literal(*old) != default_literal(declared)) {
      if (follows_position(declared)) positional_.push_back(declared.name);
      inputs.push_back({declared.name, argument_of(*old->default_value, old->type), {}});
      changes.push_back("added argument " + schemagen::quoted(declared.name) + ", " + default_literal(*old) +
                        ": " + torch_ + " has " +
                        (declared.default_value ? "a different default" : "no default"));
    } else if (old == nullptr && declared.default_value && follows_position(declared)) {
      // Later positional arguments require it.
      inputs.push_back({declared.name, argument_of(*declared.default_value, declared.type), {}});
      positional_.push_back(declared.name);
      changes.push_back("added argument " + schemagen::quoted(declared.name) + ", " +
                        default_literal(declared) + ", which is new in " + torch_);
    } else if (!declared.default_value) {
      lacks.push_back("needs an argument " + schemagen::quoted(declared.name) + " in " + torch_);
    }
  }

  void leave_out(const NamedArgument& input) {
    const std::size_t at = argument_position(before_, input.name);
    const std::string value = python_literal(input.arg);
    if (at < before_.arguments.size() && default_literal(before_.arguments[at]) == value) {
      changes.push_back("dropped argument " + schemagen::quoted(input.name) + ", which " + torch_ + " lacks");
    } else {
      lacks.push_back("has no argument " + schemagen::quoted(input.name) + " in " + torch_ +
                      ", but the call passes " + schemagen::printable_start(value));
    }
  }

  std::vector<std::string> positional_;
  std::vector<NamedArgument> left_;
  const Operator& before_;
  const Operator& after_;
  std::string torch_;
};

/// torch before 2.13 writes calls of functions such as `torch._functorch.predispatch._add_batch_dim` but
/// cannot load them (deserialize_node() in serialize.py: "Unsupported target type for node"). `torch.sym_max`
/// and the like are fine.
bool is_function_of_module(const Operator& op, std::string_view target) {
  constexpr std::string_view kTorch = "torch.";
  return op.kind == OperatorKind::function && starts_with(target, kTorch) &&
         target.find('.', kTorch.size()) != target.npos;
}

struct GraphNames {
  explicit GraphNames(const Graph& graph) : fresh(graph) {
    const auto use = [&](const auto& arguments, std::size_t at) {
      for_each_name(arguments, [&](const std::string& name) { last_uses[name] = at; });
    };
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) use(graph.nodes[i].inputs, i);
    use(graph.outputs, graph.nodes.size());
  }

  bool is_used_after(const std::string& name, std::size_t at) const {
    const std::size_t* const last = last_uses.find(name);
    return last != nullptr && *last > at;
  }

  FreshNames fresh;
  schemagen::Map<std::size_t> last_uses;
};

class CallPort {
 public:
  CallPort(std::string_view from, std::string_view to) : from_(from), to_(to) {}

  void port(Graph& graph, const std::string& path) {
    std::optional<GraphNames> names;  // few graphs need them
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      std::string place = path + ".nodes";
      schemagen::append_index(place, i);
      std::vector<NamedArgument>& inputs = graph.nodes[i].inputs;
      for (std::size_t input = 0; input < inputs.size(); ++input) {
        port_subgraphs(inputs[input].arg, place + ".inputs[" + std::to_string(input) + "].arg");
      }
      port(graph.nodes[i], place);
      make_functional(graph, i, names, place);
      move_attention(graph, i, names, place);
    }
  }

  std::vector<CallChange> changes() && { return std::move(changes_); }

 private:
  void port_subgraphs(Argument& argument, const std::string& path) {
    if (auto* const inner = argument.get_if<Argument::as_graph>())
      port(*inner->graph, path + ".as_graph.graph");
    auto* const dict = argument.get_if<Argument::as_string_to_argument>();
    if (dict == nullptr) return;
    for (auto& [key, item] : *dict) {
      std::string place = path + ".as_string_to_argument";
      schemagen::append_key(place, key);
      port_subgraphs(item, place);
    }
  }

  /// Up to torch 2.5, the schema of rrelu_with_noise did not mark its noise as written. Later releases reject
  /// such ATen graphs (SpecViolationError in _verifier.py); their functional operator returns the noise.
  void make_functional(Graph& graph, std::size_t at, std::optional<GraphNames>& names,
                       const std::string& path) {
    constexpr std::string_view kFunctional = "torch.ops.aten.rrelu_with_noise_functional.default";
    Node& node = graph.nodes[at];
    if (node.target != "torch.ops.aten.rrelu_with_noise.default") return;
    if (find_operator(kFunctional, from_) != nullptr || find_operator(kFunctional, to_) == nullptr) return;
    if (!names) names.emplace(graph);
    const auto noise = std::find_if(node.inputs.begin(), node.inputs.end(),
                                    [](const NamedArgument& input) { return input.name == "noise"; });
    const auto* const value = noise == node.inputs.end() ? nullptr : noise->arg.get_if<Argument::as_tensor>();
    const TensorMeta* const known = value == nullptr ? nullptr : graph.tensor_values.find(value->name);
    if (known == nullptr || names->is_used_after(value->name, at)) {
      return add(node, path, "writes to its argument 'noise' in torch " + to_ + ", but 'noise' is used later",
                 false);
    }
    const TensorMeta meta = *known;
    const std::string name = names->fresh.take(value->name);
    *graph.tensor_values.try_emplace(name).first = meta;
    add(node, path, "replaced by rrelu_with_noise_functional, which returns the noise", true);
    node.target = kFunctional;
    node.outputs.push_back(Argument::of<Argument::as_tensor>(TensorArgument{name}));
  }

  /// Up to torch 2.2, _scaled_dot_product_flash_attention also ran on the CPU. Later, a separate operator
  /// does, which returns only the first two results.
  void move_attention(Graph& graph, std::size_t at, std::optional<GraphNames>& names,
                      const std::string& path) {
    constexpr std::string_view kForCpu = "torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default";
    constexpr std::size_t kResults = 2;
    Node& node = graph.nodes[at];
    const MovedOperator* const moved = find_moved(node, graph, to_);
    if (moved == nullptr || !is_earlier_release(from_, moved->since)) return;
    if (moved->now != kForCpu) return add(node, path, moved_text(*moved), false);
    if (!names) names.emplace(graph);
    const bool asks_for_mask =
        std::any_of(node.inputs.begin(), node.inputs.end(), [](const NamedArgument& input) {
          const bool* const mask = input.arg.get_if<Argument::as_bool>();
          return input.name == "return_debug_mask" && mask != nullptr && *mask;
        });
    const auto extra =
        node.outputs.begin() + static_cast<std::ptrdiff_t>(std::min(kResults, node.outputs.size()));
    const auto needed = std::find_if(extra, node.outputs.end(), [&](const Argument& output) {
      const auto* const result = output.get_if<Argument::as_tensor>();
      return asks_for_mask || result == nullptr || names->is_used_after(result->name, at);
    });
    if (needed != node.outputs.end()) {
      const std::string number = std::to_string(needed - node.outputs.begin());
      return add(node, path, "was replaced on the CPU in torch 2.3 by an operator without result " + number,
                 false);
    }
    std::for_each(extra, node.outputs.end(), [&](const Argument& output) {
      graph.tensor_values.erase(output.get<Argument::as_tensor>().name);
    });
    node.outputs.erase(extra, node.outputs.end());
    node.inputs.erase(
        std::remove_if(node.inputs.begin(), node.inputs.end(),
                       [](const NamedArgument& input) { return input.name == "return_debug_mask"; }),
        node.inputs.end());
    add(node, path, "replaced by _scaled_dot_product_flash_attention_for_cpu", true);
    node.target = kForCpu;
  }

  void port(Node& node, const std::string& path) {
    const Operator* before = find_operator(node.target, from_);
    const Operator* const after = find_operator(node.target, to_);
    const Operator* const today = find_operator(node.target);
    if (after == nullptr && today != nullptr && is_function_of_module(*today, node.target)) {
      add(node, path, "is not a function that torch " + to_ + " can load", false);
    }
    if (before == nullptr || after == nullptr || before->takes_more || after->takes_more) return;
    if (before == after && before == today) return require_call(node, *after, path);
    if (!takes_call(*before, node)) {
      if (takes_call(*after, node)) return;
      if (takes_call(*today, node)) before = today;
    }
    if (before == after) return require_call(node, *after, path);
    const PortedArguments ported(node.inputs, *before, *after, to_);
    for (const std::string& lack : ported.lacks) add(node, path, lack, false);
    if (!ported.lacks.empty() || ported.inputs == node.inputs) return;
    node.inputs = ported.inputs;
    for (const std::string& change : ported.changes) add(node, path, change, true);
    if (ported.changes.empty()) add(node, path, "changed how arguments are passed", true);
  }

  /// For calls that no later release changed.
  void require_call(const Node& node, const Operator& after, const std::string& path) {
    if (!is_earlier_release(from_, to_) || takes_call(after, node)) return;
    add(node, path, "has different arguments in torch " + to_, false);
  }

  void add(const Node& node, const std::string& path, const std::string& what, bool is_done) {
    changes_.push_back({path, operator_text(node.target) + (is_done ? ": " : " ") + what, is_done});
  }

  std::string from_;
  std::string to_;
  std::vector<CallChange> changes_;
};

}  // namespace

std::vector<CallChange> port_calls(ExportedProgram& program, std::string_view from, std::string_view to) {
  CallPort ports(from, to);
  ports.port(program.graph_module.graph, "graph_module.graph");
  return std::move(ports).changes();
}

std::vector<CallChange> port_calls(LoadedProgram& loaded) {
  const std::string from = release_of(loaded.program, loaded.upgraded_from);
  const std::string_view to = operator_releases().schemas;
  if (!is_earlier_release(from, to)) return {};
  return port_calls(loaded.program, from, to);
}

std::string release_of(const ExportedProgram& program, const std::optional<SchemaVersion>& upgraded_from) {
  const SchemaVersion& schema = upgraded_from ? *upgraded_from : program.schema_version;
  const std::string& recorded = program.torch_version;
  const std::size_t dot = recorded.find('.');
  const bool is_recorded =
      dot != 0 && dot != recorded.npos && recorded.find_first_not_of("0123456789") == dot;
  if (is_recorded) {
    std::string release = recorded.substr(0, recorded.find_first_not_of("0123456789", dot + 1));
    // A downgraded program names the release that exported it.
    const bool is_downgraded =
        std::any_of(std::begin(kReleases), std::end(kReleases), [&](const Release& each) {
          return release == "2." + std::to_string(each.torch_minor) && is_before(schema, each.schema);
        });
    if (!is_downgraded) return release;
  }
  const Release* found = kReleases;
  for (const Release& each : kReleases) {
    if (is_before(found->schema, each.schema) && !is_before(schema, each.schema)) found = &each;
  }
  return "2." + std::to_string(found->torch_minor);
}

}  // namespace pt2
