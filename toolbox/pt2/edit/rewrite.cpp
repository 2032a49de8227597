#include "pt2/edit/rewrite.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pt2/edit/graph.h"
#include "pt2/edit/placement.h"
#include "pt2/graph/walk.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

[[noreturn]] void cannot_rewrite(const std::string& message) {
  throw schemagen::UsageError("cannot rewrite: " + message);
}

class Rewriting {
 public:
  Rewriting(Graph& graph, const Pattern& pattern)
      : graph_(graph), pattern_(pattern), names_(graph), is_replaced_(graph.nodes.size()) {}

  void replace(const PatternMatch& match, Graph replacement) {
    const std::uint32_t last = *std::max_element(match.nodes.begin(), match.nodes.end());
    for (std::size_t i = 0; i < match.nodes.size(); ++i) is_replaced_[match.nodes[i]] = !match.stays[i];
    std::vector<Argument> inputs;
    for (const Argument& input : replacement.inputs) inputs.push_back(bound(match, input));
    if (replacement.outputs.size() != pattern_.graph.outputs.size()) {
      cannot_rewrite("expected a replacement with " +
                     schemagen::counted(pattern_.graph.outputs.size(), "output") + ", found " +
                     std::to_string(replacement.outputs.size()));
    }
    const std::vector<bool> is_made = makes_outputs(replacement);
    Graph part = placed(std::move(replacement), inputs, names_);
    for (std::size_t i = 0; i < part.outputs.size(); ++i) {
      const std::string& old_name = result(match, i);
      if (is_made[i]) copy_type(old_name, *value_of(part.outputs[i]), part);
      passed_on_[old_name] = part.outputs[i];
    }
    for (Node& node : part.nodes) {
      if (node.metadata.empty()) node.metadata = graph_.nodes[last].metadata;
    }
    add_values(graph_, part);
    parts_.push_back({last, std::move(part.nodes)});
  }

  const Substitutes& finish() {
    std::vector<Node> nodes;
    schemagen::Map<bool> gone;
    std::sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.after < b.after; });
    auto part = parts_.begin();
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) {
      Node& node = graph_.nodes[i];
      if (is_replaced_[i]) {
        note_results(node, gone);
      } else {
        for (NamedArgument& input : node.inputs) substitute(passed_on_, input.arg);
        nodes.push_back(std::move(node));
      }
      if (part == parts_.end() || part->after != i) continue;
      for (Node& made : part->nodes) nodes.push_back(std::move(made));
      ++part;
    }
    graph_.nodes = std::move(nodes);
    remove_values(graph_, gone);
    return passed_on_;
  }

 private:
  struct Part {
    std::uint32_t after;
    std::vector<Node> nodes;
  };

  Argument bound(const PatternMatch& match, const Argument& input) const {
    const std::string* const name = value_of(input);
    const Argument* const found = name == nullptr ? nullptr : match.values.find(*name);
    if (found == nullptr) {
      cannot_rewrite(name == nullptr ? "an input of the replacement is a literal"
                                     : "the pattern has no input " + schemagen::quoted(*name));
    }
    Argument argument(*found);
    substitute(passed_on_, argument);
    return argument;
  }

  const std::string& result(const PatternMatch& match, std::size_t i) const {
    const std::string* const name = value_of(pattern_.graph.outputs[i]);
    const Argument* const found = name == nullptr ? nullptr : match.values.find(*name);
    if (found == nullptr || value_of(*found) == nullptr)
      cannot_rewrite("expected each output of the pattern to be the result of a node");
    return *value_of(*found);
  }

  static std::vector<bool> makes_outputs(const Graph& replacement) {
    schemagen::Map<bool> made;
    for (const Node& node : replacement.nodes) note_results(node, made);
    std::vector<bool> is_made;
    for (const Argument& output : replacement.outputs) {
      const std::string* const name = value_of(output);
      is_made.push_back(name != nullptr && made.contains(*name));
    }
    return is_made;
  }

  void copy_type(const std::string& old_name, const std::string& name, Graph& part) const {
    for_each_table(graph_, part, [&](const auto& types, auto& table, ValueName::Table) {
      if (const auto* const type = types.find(old_name)) table[name] = *type;
    });
  }

  static void note_results(const Node& node, schemagen::Map<bool>& names) {
    for_each_name(node.outputs, [&](const std::string& name) { names.try_emplace(name); });
  }

  Graph& graph_;
  const Pattern& pattern_;
  FreshNames names_;
  std::vector<bool> is_replaced_;
  std::vector<Part> parts_;
  Substitutes passed_on_;
};

/// Values in `named` can match only as outputs, whose replacements take their places.
Pattern beside(const schemagen::Map<bool>& named, const Pattern& pattern) {
  Pattern careful = pattern;
  if (named.empty()) return careful;
  schemagen::Map<bool> outputs;
  for (const Argument& output : pattern.graph.outputs) {
    if (const std::string* const name = value_of(output)) outputs.try_emplace(*name);
  }
  careful.accepts = [&pattern, &named, outputs](const Graph& graph, const PatternMatch& match) {
    bool is_free = true;
    for (const Node& node : pattern.graph.nodes) {
      for_each_name(node.outputs, [&](const std::string& result) {
        if (!outputs.contains(result) && named.contains(*value_of(match.at(result)))) is_free = false;
      });
    }
    return is_free && (!pattern.accepts || pattern.accepts(graph, match));
  };
  return careful;
}

std::size_t rewrite_graph(ExportedProgram& program, Graph& graph, const Pattern& pattern,
                          const MakeReplacement& make, const OperatorSet& operators) {
  std::size_t count = 0;
  for (Node& node : graph.nodes) {
    for_each_subgraph(node, [&](GraphArgument& subgraph) {
      count += rewrite_graph(program, *subgraph.graph, pattern, make, operators);
    });
  }
  schemagen::Map<bool> named;
  if (&graph == &program.graph_module.graph) named = module_values(program.graph_module);
  const std::vector<PatternMatch> matches = match(graph, beside(named, pattern), operators);
  if (matches.empty()) return count;
  Rewriting rewriting(graph, pattern);
  for (const PatternMatch& match : matches) {
    std::optional<Graph> replacement = make(graph, match);
    if (!replacement) continue;
    rewriting.replace(match, *std::move(replacement));
    ++count;
  }
  replace_output_uses(program, graph, rewriting.finish());
  return count;
}

/// Tensors like an input of the replacement get the type of the value that it matches.
Graph adapted(Graph replacement, const Graph& graph, const PatternMatch& match) {
  std::vector<std::pair<TensorMeta, TensorMeta>> metas;
  for (const Argument& input : replacement.inputs) {
    const std::string* const name = value_of(input);
    const TensorMeta* const meta = name == nullptr ? nullptr : replacement.tensor_values.find(*name);
    const Argument* const found = meta == nullptr ? nullptr : match.values.find(*name);
    const std::string* const value = found == nullptr ? nullptr : value_of(*found);
    const TensorMeta* const other = value == nullptr ? nullptr : graph.tensor_values.find(*value);
    if (other != nullptr) metas.emplace_back(*meta, *other);
  }
  for (auto& entry : replacement.tensor_values) {
    const auto like =
        std::find_if(metas.begin(), metas.end(), [&](const auto& pair) { return pair.first == entry.value; });
    if (like != metas.end()) entry.value = like->second;
  }
  return replacement;
}

}  // namespace

std::size_t rewrite(ExportedProgram& program, const Pattern& pattern, const MakeReplacement& make,
                    const OperatorSet& operators) {
  return rewrite_graph(program, program.graph_module.graph, pattern, make, operators);
}

std::size_t rewrite(ExportedProgram& program, const Pattern& pattern, const Graph& replacement,
                    const OperatorSet& operators) {
  const MakeReplacement make = [&](const Graph& graph, const PatternMatch& match) {
    return adapted(replacement, graph, match);
  };
  return rewrite(program, pattern, make, operators);
}

}  // namespace pt2
