#include "pt2/edit/rewrite.h"

#include <algorithm>
#include <iterator>

#include "pt2/edit/placement.h"
#include "pt2/graph/effects.h"
#include "pt2/graph/index.h"
#include "pt2/nodes/argument_fit.h"
#include "pt2/nodes/arguments.h"
#include "pt2/nodes/list_items.h"
#include "pt2/strings/argument_text.h"
#include "pt2/text/type_names.h"
#include "pt2/visit.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/same_value.h"

namespace pt2 {
namespace {

[[noreturn]] void cannot_rewrite(const std::string& message) {
  throw schemagen::UsageError("cannot rewrite: " + message);
}

/// Returns the value that matches the name in `argument`, an input of the replacement or an output of the
/// pattern; null if there is none.
const Argument* matched(const PatternMatch& match, const Argument& argument) {
  const std::string* const name = value_of(argument);
  return name == nullptr ? nullptr : match.values.find(*name);
}

Argument matched_input(const PatternMatch& match, const Argument& input) {
  if (const Argument* const found = matched(match, input)) return *found;
  const std::string* const name = value_of(input);
  cannot_rewrite(name == nullptr ? "an input of the replacement is a literal"
                                 : "the pattern has no input " + schemagen::quoted(*name));
}

const std::string& matched_result(const PatternMatch& match, const Argument& output) {
  const Argument* const found = matched(match, output);
  if (found == nullptr || value_of(*found) == nullptr)
    cannot_rewrite("expected each output of the pattern to be the result of a node");
  return *value_of(*found);
}

/// Returns the nodes that replace the last node of the match. Passes on what replaces the pattern's outputs.
std::vector<Node> replacing_nodes(Graph& graph, const Pattern& pattern, const PatternMatch& match,
                                  Graph replacement, FreshNames& names, Substitutes& passed_on) {
  const std::vector<Argument>& outputs = pattern.graph.outputs;
  std::vector<Argument> inputs;
  for (const Argument& input : replacement.inputs) {
    inputs.push_back(matched_input(match, input));
    substitute(passed_on, inputs.back());
  }
  if (replacement.outputs.size() != outputs.size()) {
    cannot_rewrite("expected a replacement with " + schemagen::counted(outputs.size(), "output") +
                   ", found " + std::to_string(replacement.outputs.size()));
  }
  Graph part = placed(std::move(replacement), inputs, names);
  const schemagen::Map<bool> made = node_results(part.nodes);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string& old_name = matched_result(match, outputs[i]);
    const std::string* const name = value_of(part.outputs[i]);
    if (name != nullptr && made.contains(*name)) {
      for_each_table(graph, part, [&](const auto& types, auto& table, ValueName::Table) {
        if (const auto* const type = types.find(old_name)) table[*name] = *type;
      });
    }
    passed_on[old_name] = part.outputs[i];
  }
  const std::uint32_t last = *std::max_element(match.nodes.begin(), match.nodes.end());
  for (Node& node : part.nodes) {
    if (node.metadata.empty()) node.metadata = graph.nodes[last].metadata;
  }
  add_values(graph, part);
  return std::move(part.nodes);
}

/// Tensors like an input of the replacement get the type of the value that it matches.
Graph adapted(Graph replacement, const Graph& graph, const PatternMatch& match) {
  std::vector<std::pair<TensorMeta, TensorMeta>> metas;
  for (const Argument& input : replacement.inputs) {
    const Argument* const found = matched(match, input);
    const std::string* const value = found == nullptr ? nullptr : value_of(*found);
    if (value == nullptr) continue;
    const TensorMeta* const meta = replacement.tensor_values.find(*value_of(input));
    const TensorMeta* const other = graph.tensor_values.find(*value);
    if (meta != nullptr && other != nullptr) metas.emplace_back(*meta, *other);
  }
  for (auto& entry : replacement.tensor_values) {
    const auto like =
        std::find_if(metas.begin(), metas.end(), [&](const auto& pair) { return pair.first == entry.value; });
    if (like != metas.end()) entry.value = like->second;
  }
  return replacement;
}

constexpr std::uint32_t kNone = GraphIndex::kNone;
constexpr std::uint32_t kMostNodes = 250;  // matching is recursive

[[noreturn]] void unknown(const std::string& what, const std::string& name) {
  throw schemagen::UsageError("unknown " + what + ": " + schemagen::quoted(name));
}

bool stands_for(ValueName::Table table, Argument::Kind kind) {
  const Argument::Kind own = value_argument(table, {}).kind();
  return kind == own || kind == kind_of_literal(own) ||
         (table == ValueName::Table::sym_floats && stands_for(ValueName::Table::sym_ints, kind));
}

/// The last node and everything that it needs, then nodes found through their operands.
struct Step {
  std::uint32_t node;
  std::uint32_t operand;  // matched by an earlier step; kNone for the first
};

std::vector<Step> plan_of(const GraphIndex& pattern) {
  const std::uint32_t count = pattern.node_count();
  if (count == 0 || count > kMostNodes) {
    throw schemagen::UsageError("expected a pattern of 1 to " + std::to_string(kMostNodes) +
                                " nodes, found " + std::to_string(count));
  }
  std::vector<Step> steps = {{count - 1, kNone}};
  std::vector<bool> is_known(pattern.size());
  std::vector<bool> is_visited(count);
  const auto visit = [&](const auto& self, std::uint32_t node) -> void {
    if (node == kNone || is_visited[node]) return;
    is_visited[node] = true;
    for (auto out = pattern.outputs_begin(node); out < pattern.outputs_end(node); ++out) is_known[out] = true;
    for (const GraphIndex::Use& use : pattern.uses(node)) {
      is_known[use.value] = true;
      self(self, pattern.defining_node(use.value));
    }
  };
  visit(visit, count - 1);
  for (std::uint32_t node = count; node-- > 0;) {
    const Slice<GraphIndex::Use> uses = pattern.uses(node);
    const auto* const known = std::find_if(uses.begin(), uses.end(),
                                           [&](const GraphIndex::Use& use) { return is_known[use.value]; });
    if (is_visited[node] || known == uses.end()) continue;
    steps.push_back({node, known->value});
    visit(visit, node);
    node = count;  // more may be known now
  }
  if (std::find(is_visited.begin(), is_visited.end(), false) != is_visited.end())
    throw schemagen::UsageError("the nodes of the pattern are not connected");
  return steps;
}

struct Bound {
  std::vector<std::uint32_t> nodes;
  std::vector<std::optional<Argument>> values;
};

class Matcher {
 public:
  /// Values in `named` can match only as outputs, whose replacements take their places.
  Matcher(const Graph& graph, const Pattern& pattern, const OperatorSet& operators,
          schemagen::Map<bool> named = {})
      : asked_(pattern),
        operators_(operators),
        named_(std::move(named)),
        graph_(graph),
        pattern_(pattern.graph),
        steps_(plan_of(pattern_)),
        is_output_(pattern_.size()),
        is_taken_(graph.nodes.size()) {
    graph_.require_order("graph");
    pattern_.require_order("pattern");
    for (const auto& [name, kinds] : pattern.types) {
      if (pattern_.find(name) == kNone) unknown("value of the pattern", name);
      for (const std::string& kind : kinds) is_a(kind, Argument());
    }
    for (const std::uint32_t value : pattern_.graph_outputs()) is_output_[value] = true;
  }

  std::vector<PatternMatch> run() {
    const std::string& target = pattern_node(steps_[0].node).target;
    for (std::uint32_t node = 0; node < graph_.node_count(); ++node) {
      if (graph_node(node).target != target) continue;
      Bound bound;
      bound.nodes.assign(pattern_.node_count(), kNone);
      bound.values.resize(pattern_.size());
      if (fit_node(steps_[0].node, node, bound)) finish(1, std::move(bound));
    }
    return std::move(matches_);
  }

 private:
  const Node& graph_node(std::uint32_t node) const { return graph_.graph().nodes[node]; }
  const Node& pattern_node(std::uint32_t node) const { return pattern_.graph().nodes[node]; }

  bool finish(std::size_t step, Bound bound) {
    if (step == steps_.size()) return accept(bound);
    const auto [node, operand] = steps_[step];
    const std::string* const name = value_of(*bound.values[operand]);
    if (name == nullptr) return false;
    std::uint32_t last = kNone;
    for (const GraphIndex::User& user : graph_.users(graph_.find(*name))) {
      if (user.node == kNone || user.node == last) continue;
      last = user.node;
      Bound next = bound;
      if (fit_node(node, user.node, next) && finish(step + 1, std::move(next))) return true;
    }
    return false;
  }

  bool fit_node(std::uint32_t pattern, std::uint32_t node, Bound& bound) {
    if (bound.nodes[pattern] != kNone) return bound.nodes[pattern] == node;
    const Node& wanted = pattern_node(pattern);
    const Node& found = graph_node(node);
    if (is_taken_[node] || wanted.target != found.target) return false;
    if (std::find(bound.nodes.begin(), bound.nodes.end(), node) != bound.nodes.end()) return false;
    const std::uint32_t results = pattern_.outputs_end(pattern) - pattern_.outputs_begin(pattern);
    if (wanted.outputs.size() != found.outputs.size() ||
        results != graph_.outputs_end(node) - graph_.outputs_begin(node)) {
      return false;
    }
    bound.nodes[pattern] = node;
    for (std::uint32_t i = 0; i < results; ++i) {
      const std::uint32_t value = graph_.outputs_begin(node) + i;
      bound.values[pattern_.outputs_begin(pattern) + i] =
          value_argument(graph_.table(value), std::string(graph_.name(value)));
    }
    return fit_inputs(wanted, found, bound);
  }

  bool fit_inputs(const Node& wanted, const Node& found, Bound& bound) {
    const auto have_one_name = [](const NamedArgument& a, const NamedArgument& b) {
      return a.name == b.name;
    };
    if (std::equal(wanted.inputs.begin(), wanted.inputs.end(), found.inputs.begin(), found.inputs.end(),
                   have_one_name)) {
      for (std::size_t i = 0; i < wanted.inputs.size(); ++i) {
        if (!fit(wanted.inputs[i].arg, found.inputs[i].arg, bound)) return false;
      }
      return true;
    }
    const Operator* const op = operators_.find(wanted.target);
    if (op == nullptr || op->kind == OperatorKind::higher_order) return false;
    try {
      const NodeArguments wanted_arguments(wanted, *op);
      const NodeArguments found_arguments(found, *op);
      const std::vector<NodeArgument>& a = wanted_arguments.all();
      const std::vector<NodeArgument>& b = found_arguments.all();
      return std::equal(
          a.begin(), a.end(), b.begin(), b.end(),
          [&](const NodeArgument& x, const NodeArgument& y) { return fit(x.value(), y.value(), bound); });
    } catch (const schemagen::DataError&) {
      return false;
    }
  }

  bool fit(const Argument& wanted_argument, const Argument& found_argument, Bound& bound) {
    const Argument wanted = without_wrapper(wanted_argument);
    const Argument found = without_wrapper(found_argument);
    if (const std::string* const name = value_of(wanted); name != nullptr && !name->empty())
      return fit_value(pattern_.find(*name), found, bound);
    const std::optional<std::vector<Argument>> items = items_of(wanted);
    if (items) {
      const std::optional<std::vector<Argument>> others = items_of(found);
      return others && std::equal(items->begin(), items->end(), others->begin(), others->end(),
                                  [&](const Argument& a, const Argument& b) { return fit(a, b, bound); });
    }
    if (const auto* const dict = wanted.get_if<Argument::as_string_to_argument>()) {
      const auto* const other = found.get_if<Argument::as_string_to_argument>();
      return other != nullptr && std::equal(dict->begin(), dict->end(), other->begin(), other->end(),
                                            [&](const auto& a, const auto& b) {
                                              return a.key() == b.key() && fit(a.value, b.value, bound);
                                            });
    }
    if (const auto* const graph = wanted.get_if<Argument::as_graph>()) {
      const auto* const other = found.get_if<Argument::as_graph>();
      return other != nullptr && schemagen::is_same_value(graph->graph, other->graph);
    }
    return schemagen::is_same_value(wanted, found);
  }

  bool fit_value(std::uint32_t wanted, const Argument& found, Bound& bound) {
    const std::uint32_t definition = pattern_.defining_node(wanted);
    const std::string* const name = value_of(found);
    if (definition != kNone) {
      const std::uint32_t value = name == nullptr ? kNone : graph_.find(*name);
      const std::uint32_t node = value == kNone ? kNone : graph_.defining_node(value);
      return node != kNone &&
             value - graph_.outputs_begin(node) == wanted - pattern_.outputs_begin(definition) &&
             fit_node(definition, node, bound);
    }
    const bool is_any = asked_.any.count(std::string(pattern_.name(wanted))) != 0;
    if (!is_any && !stands_for(pattern_.table(wanted), found.kind())) return false;
    std::optional<Argument>& value = bound.values[wanted];
    if (!value) value = found;
    return *value == found;
  }

  bool accept(const Bound& bound) {
    const auto [first, last] = std::minmax_element(bound.nodes.begin(), bound.nodes.end());
    if (has_outside_users(bound, *last) || !can_move(bound, *first, *last)) return false;
    PatternMatch match;
    match.nodes = bound.nodes;
    for (std::uint32_t value = 0; value < pattern_.size(); ++value) {
      if (!bound.values[value]) continue;
      const std::string* const name = value_of(*bound.values[value]);
      const bool is_inside = pattern_.defining_node(value) != kNone && !is_output_[value];
      if (is_inside && name != nullptr && named_.contains(*name)) return false;
      match.values[std::string(pattern_.name(value))] = *bound.values[value];
    }
    for (const auto& [name, kinds] : asked_.types) {
      const Argument* const value = match.values.find(name);
      if (value != nullptr && std::none_of(kinds.begin(), kinds.end(),
                                           [&](const std::string& kind) { return is_a(kind, *value); }))
        return false;
    }
    for (const std::uint32_t node : match.nodes) is_taken_[node] = true;
    matches_.push_back(std::move(match));
    return true;
  }

  bool is_a(const std::string& kind, const Argument& found) const {
    using A = Argument;
    if (kind == "Value") return value_of(found) != nullptr;
    if (kind == "Tensor") return found.is<A::as_tensor>();
    if (kind == "int") return found.is<A::as_int>() || found.is<A::as_sym_int>();
    if (kind == "float") return found.is<A::as_float>() || found.is<A::as_sym_float>();
    if (kind == "bool") return found.is<A::as_bool>() || found.is<A::as_sym_bool>();
    if (kind == "str") return found.is<A::as_string>();
    if (kind == "None") return found.is<A::as_none>();
    if (kind == "list") return items_of(found).has_value();
    const std::optional<ScalarType> dtype = dtype_named(kind);
    const std::string brief = kind.substr(0, kind.find('['));
    const auto is_brief = [&](const Dtype& known) { return known.brief == brief; };
    if (!dtype && std::none_of(std::begin(kDtypes), std::end(kDtypes), is_brief)) unknown("type", kind);
    const auto* const tensor = found.get_if<A::as_tensor>();
    const TensorMeta* const meta =
        tensor == nullptr ? nullptr : graph_.graph().tensor_values.find(tensor->name);
    if (meta == nullptr) return false;
    if (dtype) return meta->dtype == *dtype;
    return kind == short_name(meta->dtype) || kind == tensor_type_text(*meta);
  }

  /// Whether a result that is not an output is used outside the match, or an output before its last node.
  bool has_outside_users(const Bound& bound, std::uint32_t last) const {
    for (std::uint32_t node = 0; node < pattern_.node_count(); ++node) {
      for (auto out = pattern_.outputs_begin(node); out < pattern_.outputs_end(node); ++out) {
        const std::uint32_t value =
            graph_.outputs_begin(bound.nodes[node]) + (out - pattern_.outputs_begin(node));
        for (const GraphIndex::User& user : graph_.users(value)) {
          const bool is_node = user.node != kNone;
          if (is_node && std::find(bound.nodes.begin(), bound.nodes.end(), user.node) != bound.nodes.end())
            continue;
          if (!is_output_[out] || (is_node && user.node < last)) return true;
        }
      }
    }
    return false;
  }

  bool can_move(const Bound& bound, std::uint32_t first, std::uint32_t last) {
    if (last - first + 1 == bound.nodes.size()) return true;
    for (std::size_t node = writers_before_.size() - 1; node < graph_.node_count(); ++node) {
      const bool writes = may_write(graph_.graph().nodes[node]);
      writers_before_.push_back(writers_before_.back() + (writes ? 1 : 0));
    }
    std::uint32_t writers = 0;
    for (const std::uint32_t node : bound.nodes) {
      if (node != last && has_effects(graph_node(node), operators_)) return false;
      writers += writers_before_[node + 1] - writers_before_[node];
    }
    return writers_before_[last + 1] - writers_before_[first] == writers;
  }

  bool may_write(const Node& node) const {
    if (is_barrier(node)) return true;
    if (!has_effects(node, operators_)) return false;
    const Operator* const op = operators_.find(node.target);
    for (std::size_t input = 0; input < node.inputs.size(); ++input) {
      if (writes_input(node, input, op)) return true;
    }
    return false;
  }

  const Pattern& asked_;
  const OperatorSet& operators_;
  const schemagen::Map<bool> named_;
  const GraphIndex graph_;
  const GraphIndex pattern_;
  const std::vector<Step> steps_;
  std::vector<bool> is_output_;
  std::vector<bool> is_taken_;
  std::vector<std::uint32_t> writers_before_ = {0};  // each node, once they are needed
  std::vector<PatternMatch> matches_;
};

std::size_t rewrite_graph(ExportedProgram& program, Graph& graph, const Pattern& pattern,
                          const MakeReplacement& make, const OperatorSet& operators) {
  schemagen::Map<bool> named;
  if (&graph == &program.graph_module.graph) named = module_values(program.graph_module);
  const std::vector<PatternMatch> matches = Matcher(graph, pattern, operators, named).run();
  if (matches.empty()) return 0;
  std::size_t count = 0;
  FreshNames names(graph);
  Substitutes passed_on;
  std::map<std::size_t, std::vector<Node>> replaced;  // what replaces a node
  for (const PatternMatch& match : matches) {
    std::optional<Graph> replacement = make(graph, match);
    if (!replacement) continue;
    for (const std::uint32_t node : match.nodes) replaced[node];
    replaced[*std::max_element(match.nodes.begin(), match.nodes.end())] =
        replacing_nodes(graph, pattern, match, *std::move(replacement), names, passed_on);
    ++count;
  }
  replace_nodes(program, graph, passed_on, [&](Node&, std::size_t at) -> NewNodes {
    const auto found = replaced.find(at);
    if (found == replaced.end()) return std::nullopt;
    return std::move(found->second);
  });
  return count;
}

}  // namespace

std::size_t rewrite(ExportedProgram& program, const Pattern& pattern, const MakeReplacement& make,
                    const OperatorSet& operators) {
  std::size_t count = 0;
  for_each_graph_inside_out(program.graph_module.graph, [&](Graph& graph) {
    count += rewrite_graph(program, graph, pattern, make, operators);
  });
  return count;
}

std::size_t rewrite(ExportedProgram& program, const Pattern& pattern, const Graph& replacement,
                    const OperatorSet& operators) {
  const MakeReplacement make = [&](const Graph& graph, const PatternMatch& match) {
    return adapted(replacement, graph, match);
  };
  return rewrite(program, pattern, make, operators);
}

std::vector<PatternMatch> match(const Graph& graph, const Pattern& pattern, const OperatorSet& operators) {
  return Matcher(graph, pattern, operators).run();
}

}  // namespace pt2
