#include "pt2/diff/graph_diff.h"

#include <algorithm>

#include "pt2/diff/sequence_match.h"
#include "pt2/graph/signature.h"
#include "pt2/json.h"
#include "pt2/nodes/node_key.h"
#include "pt2/schema_info.h"
#include "pt2/strings/node_text.h"
#include "pt2/strings/program_words.h"
#include "pt2/text/join.h"
#include "pt2/text/literal.h"
#include "pt2/text/symbolic_text.h"
#include "pt2/visit.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/same_value.h"
#include "schemagen/json/writer.h"

namespace pt2 {
namespace {

std::string numbers_text(const std::vector<SymInt>& values) {
  return "[" + join_texts(values, ", ", sym_int_text) + "]";
}
constexpr std::size_t kMostJson = 200;

std::string then(const GraphDiff& diff, const std::string& what, const std::string& before,
                 const std::string& after) {
  return what + ": " + diff.a.with_symbols(before) + ", then " + diff.b.with_symbols(after);
}

/// Shows the JSON if the texts are equal, e.g. if only the assumptions about a symbol differ.
template <class T, class Text>
std::string then(const GraphDiff& diff, const std::string& what, const T& a, const T& b, const Text& text) {
  std::string before = text(a);
  std::string after = text(b);
  if (before == after) {
    before = schemagen::printable_start(schemagen::to_json(a), {}, kMostJson);
    after = schemagen::printable_start(schemagen::to_json(b), {}, kMostJson);
  }
  return then(diff, what, before, after);
}

template <class Sym>
Sym without_hint(Sym value) {
  if (auto* const expression = value.template get_if<Sym::as_expr>()) expression->hint.reset();
  return value;
}
std::vector<SymInt> without_hint(std::vector<SymInt> values) {
  for (SymInt& value : values) value = without_hint(std::move(value));
  return values;
}

template <class T>
bool differ(const T& a, const T& b) {
  return !schemagen::is_same_value(without_hint(a), without_hint(b));
}
template <class T>
bool differ_in_hints(const T& a, const T& b) {
  return !schemagen::is_same_value(a, b) && !differ(a, b);
}

void add_meta_details(std::vector<std::string>& details, const std::string& name, const GraphDiff& diff,
                      const TensorMeta& a, const TensorMeta& b) {
  const auto add = [&](const char* what, const auto& before, const auto& after, const auto& text) {
    details.push_back(then(diff, what + name, before, after, text));
  };
  if (a.dtype != b.dtype || differ(a.sizes, b.sizes)) add("type of ", a, b, tensor_type_text);
  if (a.layout != b.layout) add("layout of ", a.layout, b.layout, layout_text);
  if (a.device != b.device) add("device of ", a.device, b.device, device_text);
  if (differ(a.strides, b.strides)) add("strides of ", a.strides, b.strides, numbers_text);
  if (differ(a.storage_offset, b.storage_offset)) {
    add("storage offset of ", a.storage_offset, b.storage_offset, sym_int_text);
  }
  if (a.requires_grad != b.requires_grad) {
    add("requires_grad of ", a.requires_grad, b.requires_grad, bool_literal);
  }
  if (differ_in_hints(a.sizes, b.sizes) || differ_in_hints(a.strides, b.strides) ||
      differ_in_hints(a.storage_offset, b.storage_offset)) {
    details.push_back("hints for the sizes of " + name);
  }
}

std::vector<const std::string*> slots(const Argument* argument) {
  std::vector<const std::string*> slots;
  const auto add = [&](const std::string* name, ValueName::Table) { slots.push_back(name); };
  if (argument != nullptr) for_each_slot(*argument, add);
  return slots;
}

template <class T>
const T* item(const std::vector<T>& items, std::optional<std::size_t> index) {
  return index && *index < items.size() ? &items[*index] : nullptr;
}

/// `part` is an Argument or a Node.
template <class Part>
std::vector<const GraphArgument*> subgraphs_in(const Part& part) {
  std::vector<const GraphArgument*> graphs;
  for_each_subgraph(part, [&](const GraphArgument& subgraph) { graphs.push_back(&subgraph); });
  return graphs;
}

constexpr const char* kSingleOrList = "whether it returns a tensor or a list with one tensor";

struct Gap {
  std::size_t from_a;
  std::size_t end_a;
  std::size_t from_b;
  std::size_t end_b;
};
using Matches = std::vector<std::pair<std::size_t, std::size_t>>;

template <class Key>
Matches match_by(const Gap& gap, const Graph& a, const Graph& b, const Key& key) {
  schemagen::Map<std::uint32_t> numbers;
  const auto numbered = [&](const Graph& graph, std::size_t from, std::size_t end) {
    std::vector<std::uint32_t> keys;
    for (std::size_t i = from; i < end; ++i) {
      const auto [number, is_new] = numbers.try_emplace(key(graph.nodes[i]));
      if (is_new) *number = static_cast<std::uint32_t>(numbers.size());
      keys.push_back(*number);
    }
    return keys;
  };
  const std::vector<std::uint32_t> keys_a = numbered(a, gap.from_a, gap.end_a);
  Matches matches = match_sequences(keys_a, numbered(b, gap.from_b, gap.end_b));
  for (auto& [index_a, index_b] : matches) {
    index_a += gap.from_a;
    index_b += gap.from_b;
  }
  return matches;
}

Matches match_in_order(const Gap& gap, const Graph& a, const Graph& b) {
  Matches matches;
  for (std::size_t i = 0; i < std::min(gap.end_a - gap.from_a, gap.end_b - gap.from_b); ++i) {
    const Node& node_a = a.nodes[gap.from_a + i];
    const Node& node_b = b.nodes[gap.from_b + i];
    if (node_a.inputs.size() == node_b.inputs.size() && node_a.outputs.size() == node_b.outputs.size()) {
      matches.emplace_back(gap.from_a + i, gap.from_b + i);
    }
  }
  return matches;
}

template <class Spec>
std::vector<std::string> argument_keys(const std::vector<Argument>& arguments,
                                       const std::vector<Spec>& specs) {
  std::vector<std::string> keys(std::max(arguments.size(), specs.size()));
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const auto parts = parts_of(specs[i]);
    keys[i] = "spec " + std::string(name_of(parts.kind));
    // Names of values may differ.
    if (parts.target != nullptr && !parts.target_is_input) keys[i] += " " + *parts.target;
  }
  return keys;
}

/// Appends all nodes in the gap in order. Between two matches, the nodes of `a` come first. Matches equal
/// nodes, in what is left then nodes of the same operator, and then nodes of the same form.
void match_nodes(Gap gap, const Graph& a, const Graph& b, std::vector<KeyMatch>& nodes, int round = 0) {
  const Gap all = gap;
  Matches matches = round == 0   ? match_by(all, a, b, node_key)
                    : round == 1 ? match_by(all, a, b, [](const Node& node) { return node.target; })
                                 : match_in_order(all, a, b);
  matches.emplace_back(all.end_a, all.end_b);
  for (const auto& [end_a, end_b] : matches) {
    gap.end_a = end_a;
    gap.end_b = end_b;
    if (round < 2 && gap.from_a < end_a && gap.from_b < end_b) {
      match_nodes(gap, a, b, nodes, round + 1);
    } else {
      for (std::size_t i = gap.from_a; i < end_a; ++i) nodes.push_back({i, std::nullopt});
      for (std::size_t i = gap.from_b; i < end_b; ++i) nodes.push_back({std::nullopt, i});
    }
    if (end_a < all.end_a) nodes.push_back({end_a, end_b});
    gap.from_a = end_a + 1;
    gap.from_b = end_b + 1;
  }
}

/// The names in the value tables that `known` lacks, and what their entries contain.
struct UndefinedValues {
  UndefinedValues(const Graph& graph, const schemagen::Map<std::string>& known) {
    schemagen::Map<std::string> all;
    for_each_table(graph, [&](const auto& table, ValueName::Table kind) {
      for (const auto& [name, entry] : table) {
        if (known.contains(name)) continue;
        auto nameless = entry;
        if constexpr (std::is_same_v<decltype(nameless), CustomObjArgument>) nameless.name.clear();
        all[name] += std::to_string(static_cast<int>(kind)) + schemagen::to_json(nameless);
      }
    });
    for (const auto& [name, content] : all) {
      names.push_back(name);
      contents.push_back((name.empty() ? "unnamed" : "") + content);
    }
  }

  std::vector<std::string> names;
  std::vector<std::string> contents;
};

std::string original_name(const NamedGraph& named, std::string_view name) {
  const std::string* const found = named.names.names.find(name);
  return found == nullptr ? std::string(name) : *found;
}

std::string printable_name(const NamedGraph& named, std::string_view name) {
  return printable(original_name(named, name));
}

std::string original_type(const NamedGraph& named, const ValueName& value) {
  return named.with_symbols(type_text(named.graph, value));
}

/// If `argument` is null, the line has no place.
DiffLine line_of(const NamedGraph& named, std::string text, const Argument* argument) {
  const std::vector<std::string> names =
      argument == nullptr ? std::vector<std::string>() : names_in(*argument);
  if (names.empty()) return {std::move(text), {}};
  std::vector<std::string> place = named.path;
  place.push_back(original_name(named, names.front()));
  return {std::move(text), std::move(place)};
}

DiffLine line_of(const NamedGraph& named, const Node& node) {
  Node shown = node;
  for_each_subgraph(shown, [&](GraphArgument& graph) { graph.name = printable_name(named, graph.name); });
  std::string text =
      node_text([&](const ValueName& value) { return original_type(named, value); }, shown, Colours::none,
                [&](const ValueName& value) { return printable_name(named, value.name); });
  return line_of(named, std::move(text), item(node.outputs, 0));
}

/// For a value that no input and no node defines.
DiffLine line_of(const NamedGraph& named, const std::string& name) {
  std::vector<std::string> types;
  for_each_table(named.graph, [&](const auto& table, ValueName::Table kind) {
    if (table.contains(name)) types.push_back(original_type(named, {kind, name}));
  });
  return {printable_name(named, name) + ": " + join_texts(types, ", "), {}};
}

template <class Spec>
DiffLine line_of(const NamedGraph& named, const Argument* argument, const Spec* spec) {
  std::string text = argument == nullptr ? "" : named.text(*argument);
  if (argument != nullptr && (spec != nullptr || std::is_same_v<Spec, InputSpec>)) {
    const std::string type =
        argument_text(*argument, [&](const ValueName& value) { return original_type(named, value); });
    if (type != text) text += "  " + type;
  }
  if (spec != nullptr) {
    Spec shown = *spec;
    const auto parts = parts_of(shown);
    if (parts.target_is_input) *parts.target = original_name(named, *parts.target);
    text += "  " + meaning_text(shown);
  }
  return line_of(named, std::move(text), argument);
}

std::vector<NamedGraph> graphs_in(const NamedGraph& outer, std::size_t node) {
  std::vector<NamedGraph> graphs;
  for_each_subgraph(outer.graph.nodes[node], [&](const GraphArgument& subgraph) {
    std::vector<std::string> path = line_of(outer, "", item(outer.graph.nodes[node].outputs, 0)).place;
    path.push_back(original_name(outer, subgraph.name));
    graphs.push_back(
        {*subgraph.graph, outer.names.subgraphs.at(node)[graphs.size()], outer.symbols, std::move(path)});
  });
  return graphs;
}

/// Compares names by what they stand for. `renames_graphs`: whether the normal form does.
bool have_same_value(GraphDiff& diff, const Argument& a, const Argument& b, bool renames_graphs = false) {
  if (!schemagen::is_same_value(without_names(a), without_names(b))) return false;
  const auto names_b = slots(&b);
  std::size_t i = 0;
  for (const std::string* const name : slots(&a)) {
    const std::string* const other = names_b[i++];
    if (name != nullptr && !diff.values.are_same(*name, *other)) return false;
  }
  const auto graphs_b = subgraphs_in(b);
  i = 0;
  for (const GraphArgument* const graph : subgraphs_in(a)) {
    const GraphArgument& other = *graphs_b[i++];
    if (renames_graphs ? !diff.subgraphs.are_same(graph->name, other.name)
                       : !schemagen::is_same_value(*graph, other))
      return false;
  }
  return true;
}

void define_both(GraphDiff& diff, const Argument* a, const Argument* b) {
  const auto names_a = slots(a);
  const auto names_b = slots(b);
  for (std::size_t i = 0; i < std::max(names_a.size(), names_b.size()); ++i) {
    diff.values.define(i < names_a.size() ? names_a[i] : nullptr, i < names_b.size() ? names_b[i] : nullptr);
  }
}

void add_value_details(GraphDiff& diff, std::vector<std::string>& details, const std::string& name_a,
                       const std::string& name_b) {
  const Graph& graph_a = diff.a.graph;
  const std::string name = printable_name(diff.a, name_a);
  for_each_table(graph_a, diff.b.graph, [&](const auto& table_a, const auto& table_b, auto table) {
    const auto* const a = table_a.find(name_a);
    const auto* const b = table_b.find(name_b);
    if (a == nullptr && b == nullptr) return;
    const auto text = [&](const auto& entry) {
      return &entry == a ? type_text(graph_a, {table, name_a}) : type_text(diff.b.graph, {table, name_b});
    };
    const auto add = [&](const char* what) { details.push_back(then(diff, what + name, *a, *b, text)); };
    if (a == nullptr || b == nullptr) {
      details.push_back(
          then(diff, "type of " + name, a == nullptr ? "none" : text(*a), b == nullptr ? "none" : text(*b)));
      // NOLINTNEXTLINE(bugprone-branch-clone): discarded branches count as empty
    } else if constexpr (std::is_same_v<decltype(a), const TensorMeta* const>) {
      add_meta_details(details, name, diff, *a, *b);
    } else if constexpr (std::is_same_v<decltype(a), const CustomObjArgument* const>) {
      if (a->class_fqn != b->class_fqn) add("class of ");
      if (!diff.values.are_same(a->name, b->name)) {
        details.push_back("object of " + name + ": " + printable_name(diff.a, a->name) + ", then " +
                          printable_name(diff.b, b->name));
      }
    } else {
      if (differ(*a, *b)) add("type of ");
      if (differ_in_hints(*a, *b)) details.push_back("hint of " + name);
    }
  });
}

void add_value_details(GraphDiff& diff, std::vector<std::string>& details, const Argument& a,
                       const Argument& b) {
  const auto names_a = slots(&a);
  const auto names_b = slots(&b);
  for (std::size_t i = 0; i < std::min(names_a.size(), names_b.size()); ++i) {
    if (names_a[i] != nullptr && names_b[i] != nullptr)
      add_value_details(diff, details, *names_a[i], *names_b[i]);
  }
}

template <class Spec>
Spec without_value(Spec spec) {
  const auto parts = parts_of(spec);
  if (parts.target_is_input) parts.target->clear();
  if (parts.argument != nullptr) {
    *parts.argument = Argument();
  } else if (parts.name != nullptr) {
    parts.name->clear();
  }
  return spec;
}

template <class Spec>
void add_spec_details(GraphDiff& diff, std::vector<std::string>& details, bool has_other_value,
                      const Spec& spec_a, const Spec& spec_b) {
  const auto a = parts_of(spec_a);
  const auto b = parts_of(spec_b);
  const bool has_same_value = a.argument != nullptr
                                  ? have_same_value(diff, *a.argument, *b.argument)
                                  : a.name == nullptr || diff.values.are_same(*a.name, *b.name);
  const bool has_same_constant = a.constant == nullptr || schemagen::is_same_value(*a.constant, *b.constant);
  const bool has_same_target = !a.target_is_input || diff.values.are_same(*a.target, *b.target);
  if (a.persistent != b.persistent || !has_same_constant || !has_same_target) {
    details.push_back("meaning");
  } else if (!has_other_value &&
             (!has_same_value || !schemagen::is_same_value(without_value(spec_a), without_value(spec_b)))) {
    details.push_back("value in the signature");
  }
}

template <class Spec>
void diff_arguments(GraphDiff& diff, const char* part, const std::vector<KeyMatch>& matches,
                    const std::vector<Argument>& arguments_a, const std::vector<Spec>& specs_a,
                    const std::vector<Argument>& arguments_b, const std::vector<Spec>& specs_b) {
  for (const KeyMatch& match : matches) {
    const Argument* const a = item(arguments_a, match.a);
    const Argument* const b = item(arguments_b, match.b);
    const Spec* const spec_a = item(specs_a, match.a);
    const Spec* const spec_b = item(specs_b, match.b);
    std::vector<std::string> details;
    if (match.a && match.b) {
      const bool has_other_value = a == nullptr || b == nullptr ? a != b : !have_same_value(diff, *a, *b);
      if (has_other_value) details.push_back("value");
      if (std::is_same_v<Spec, InputSpec> && a != nullptr && b != nullptr)
        add_value_details(diff, details, *a, *b);
      if (spec_a != nullptr) add_spec_details(diff, details, has_other_value, *spec_a, *spec_b);
      if (details.empty()) continue;
    }
    add_difference(diff, part, match.a ? line_of(diff.a, a, spec_a) : DiffLine(),
                   match.b ? line_of(diff.b, b, spec_b) : DiffLine(), std::move(details));
  }
  if (!are_in_order(matches)) add_difference(diff, part, {}, {}, {"order"});
}

std::vector<std::string> details_of_nodes(GraphDiff& diff, const Node& a, const Node& b) {
  std::vector<std::string> details;
  if (a.target != b.target) details.push_back("operator");
  for (std::size_t i = 0; i < std::max(a.inputs.size(), b.inputs.size()); ++i) {
    const NamedArgument* const input_a = item(a.inputs, i);
    const NamedArgument* const input_b = item(b.inputs, i);
    const NamedArgument& known = input_a == nullptr ? *input_b : *input_a;
    const std::string name = known.name.empty() ? std::to_string(i) : string_literal(known.name);
    if (input_a == nullptr || input_b == nullptr) {
      details.push_back("argument " + name + (input_a == nullptr ? " was added" : " was removed"));
      continue;
    }
    if (input_a->name != input_b->name || !have_same_value(diff, input_a->arg, input_b->arg, true)) {
      details.push_back("argument " + name);
    }
    if (input_a->kind != input_b->kind && !diff.one_sided.argument_kinds) {
      details.push_back("how argument " + name + " is passed");
    }
  }
  if (a.outputs.size() != b.outputs.size()) details.push_back("number of results");
  for (std::size_t i = 0; i < std::min(a.outputs.size(), b.outputs.size()); ++i) {
    if (!have_same_value(diff, a.outputs[i], b.outputs[i]))
      details.push_back("form of result " + std::to_string(i));
    add_value_details(diff, details, a.outputs[i], b.outputs[i]);
  }
  if (a.is_hop_single_tensor_return != b.is_hop_single_tensor_return) details.push_back(kSingleOrList);
  if (a.metadata != b.metadata) details.push_back("metadata");
  if (name_state(a) != name_state(b) && !diff.one_sided.node_names) {
    details.push_back("whether the node has a name");
  }
  return details;
}

void diff_node(GraphDiff& diff, std::size_t index_a, std::size_t index_b) {
  const Node& a = diff.a.graph.nodes[index_a];
  const Node& b = diff.b.graph.nodes[index_b];
  std::vector<std::string> details = details_of_nodes(diff, a, b);
  if (!details.empty())
    add_difference(diff, "nodes", line_of(diff.a, a), line_of(diff.b, b), std::move(details));
  const std::vector<const GraphArgument*> arguments = subgraphs_in(a);
  const std::vector<NamedGraph> graphs_a = graphs_in(diff.a, index_a);
  const std::vector<NamedGraph> graphs_b = graphs_in(diff.b, index_b);
  for (std::size_t i = 0; i < std::min(graphs_a.size(), graphs_b.size()); ++i) {
    const std::string name = printable_name(diff.a, arguments[i]->name);
    GraphDiff inner{graphs_a[i], graphs_b[i], diff.one_sided, diff.differences,
                    name + (diff.where.empty() ? "" : " in " + diff.where)};
    diff_graphs(inner, {}, {});
    diff_undefined_values(inner);
  }
}

void diff_undefined_value(GraphDiff& diff, const std::string* a, const std::string* b) {
  std::vector<std::string> details;
  if (a != nullptr && b != nullptr) {
    add_value_details(diff, details, *a, *b);
    if (details.empty() && a->empty() == b->empty()) return;
  }
  add_difference(diff, "values", a == nullptr ? DiffLine() : line_of(diff.a, *a),
                 b == nullptr ? DiffLine() : line_of(diff.b, *b), std::move(details));
}

}  // namespace

std::string NamedGraph::text(const Argument& argument) const {
  return argument_text(argument, [&](const ValueName& value) { return printable_name(*this, value.name); });
}

std::string NamedGraph::with_symbols(std::string_view text) const {
  return replace_symbols(text, [&](std::string_view symbol) {
    const std::string* const original = symbols.find(symbol);
    return original == nullptr ? std::string(symbol) : *original;
  });
}

int name_state(const Node& node) {
  return !node.name ? 0 : node.name->empty() ? 1 : 2;
}

void NamePairs::define(const std::string* a, const std::string* b) {
  if (a != nullptr && !a->empty()) to_b[*a] = b == nullptr ? "" : *b;
  if (b != nullptr && !b->empty()) to_a[*b] = a == nullptr ? "" : *a;
}

bool NamePairs::are_same(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a == b;
  const std::string* const known = to_b.find(a);
  if (known != nullptr || to_a.contains(b)) return known != nullptr && *known == b;
  define(&a, &b);
  undefined.emplace_back(a, b);
  return true;
}

bool have_same_values(GraphDiff& diff, const std::vector<Argument>& a, const std::vector<Argument>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const Argument& x, const Argument& y) { return have_same_value(diff, x, y); });
}

void add_difference(GraphDiff& diff, const char* part, DiffLine before, DiffLine after,
                    std::vector<std::string> details) {
  if (diff.differences.size() > kMostDifferences) return;
  if (diff.differences.size() == kMostDifferences) {
    before = {};
    after = {};
    details = {"more differences, which are not listed"};
  }
  const Difference::Kind kind = before.text.empty() == after.text.empty() ? Difference::Kind::changed
                                : before.text.empty()                     ? Difference::Kind::added
                                                                          : Difference::Kind::removed;
  diff.differences.push_back({kind, part, diff.where, std::move(before.text), std::move(after.text),
                              std::move(details), std::move(before.place), std::move(after.place)});
}

void diff_graphs(GraphDiff& diff, const GraphSignature& signature_a, const GraphSignature& signature_b) {
  const Graph& a = diff.a.graph;
  const Graph& b = diff.b.graph;
  const std::vector<KeyMatch> inputs = match_keys(argument_keys(a.inputs, signature_a.input_specs),
                                                  argument_keys(b.inputs, signature_b.input_specs));
  for (const KeyMatch& match : inputs) define_both(diff, item(a.inputs, match.a), item(b.inputs, match.b));
  std::vector<KeyMatch> nodes;
  match_nodes({0, a.nodes.size(), 0, b.nodes.size()}, a, b, nodes);
  const std::vector<Argument> none;
  for (const KeyMatch& match : nodes) {
    const std::vector<Argument>& results_a = match.a ? a.nodes[*match.a].outputs : none;
    const std::vector<Argument>& results_b = match.b ? b.nodes[*match.b].outputs : none;
    for (std::size_t i = 0; i < std::max(results_a.size(), results_b.size()); ++i) {
      define_both(diff, item(results_a, i), item(results_b, i));
    }
  }
  diff_arguments(diff, "inputs", inputs, a.inputs, signature_a.input_specs, b.inputs,
                 signature_b.input_specs);
  for (const KeyMatch& match : nodes) {
    if (match.a && match.b) {
      diff_node(diff, *match.a, *match.b);
    } else {
      add_difference(diff, "nodes", match.a ? line_of(diff.a, a.nodes[*match.a]) : DiffLine(),
                     match.b ? line_of(diff.b, b.nodes[*match.b]) : DiffLine());
    }
  }
  diff_arguments(diff, "outputs",
                 match_keys(argument_keys(a.outputs, signature_a.output_specs),
                            argument_keys(b.outputs, signature_b.output_specs)),
                 a.outputs, signature_a.output_specs, b.outputs, signature_b.output_specs);
  if (a.is_single_tensor_return != b.is_single_tensor_return)
    add_difference(diff, "outputs", {}, {}, {kSingleOrList});
}

void diff_undefined_values(GraphDiff& diff) {
  NamePairs& values = diff.values;
  for (std::size_t i = 0; i < values.undefined.size(); ++i) {
    const auto [a, b] = values.undefined[i];  // a copy, because the comparison can add more
    diff_undefined_value(diff, &a, &b);
  }
  const UndefinedValues a(diff.a.graph, values.to_b);
  const UndefinedValues b(diff.b.graph, values.to_a);
  std::vector<KeyMatch> matches = match_keys(a.contents, b.contents);
  // Values with other contents are matched in order. The rest of `b` comes last.
  auto rest = std::find_if(matches.begin(), matches.end(), [](const KeyMatch& match) { return !match.a; });
  for (KeyMatch& match : matches) {
    if (match.a && !match.b && rest != matches.end()) match.b = std::exchange((rest++)->b, std::nullopt);
  }
  for (const KeyMatch& match : matches) values.define(item(a.names, match.a), item(b.names, match.b));
  for (const KeyMatch& match : matches) {
    if (match.a || match.b) diff_undefined_value(diff, item(a.names, match.a), item(b.names, match.b));
  }
}

}  // namespace pt2
