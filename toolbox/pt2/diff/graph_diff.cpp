#include "pt2/diff/graph_diff.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "pt2/diff/sequence_match.h"
#include "pt2/graph/argument_form.h"
#include "pt2/graph/index.h"
#include "pt2/graph/signature.h"
#include "pt2/graph/walk.h"
#include "pt2/nodes/node_key.h"
#include "pt2/schema_info.h"
#include "pt2/strings/argument_text.h"
#include "pt2/strings/node_text.h"
#include "pt2/strings/program_words.h"
#include "pt2/text/literal.h"
#include "pt2/visit.h"
#include "schemagen/base/same_value.h"

namespace pt2 {
namespace {

std::string then(const std::string& what, const std::string& before, const std::string& after) {
  return what + ": " + before + ", then " + after;
}

std::string list_text(const std::vector<SymInt>& values) {
  std::string text;
  for (const SymInt& value : values) text += (text.empty() ? "" : ", ") + sym_int_text(value);
  return "[" + text + "]";
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

void add_meta_details(std::vector<std::string>& details, const std::string& name, const TensorMeta& a,
                      const TensorMeta& b) {
  const auto add = [&](const char* what, const std::string& before, const std::string& after) {
    details.push_back(then(what + name, before, after));
  };
  if (a.dtype != b.dtype || differ(a.sizes, b.sizes)) {
    add("type of ", tensor_type_text(a), tensor_type_text(b));
  }
  if (a.layout != b.layout) add("layout of ", layout_text(a.layout), layout_text(b.layout));
  if (a.device != b.device) add("device of ", device_text(a.device), device_text(b.device));
  if (differ(a.strides, b.strides)) add("strides of ", list_text(a.strides), list_text(b.strides));
  if (differ(a.storage_offset, b.storage_offset)) {
    add("storage offset of ", sym_int_text(a.storage_offset), sym_int_text(b.storage_offset));
  }
  if (a.requires_grad != b.requires_grad) {
    add("requires_grad of ", a.requires_grad ? "True" : "False", b.requires_grad ? "True" : "False");
  }
  if (differ_in_hints(a.sizes, b.sizes) || differ_in_hints(a.strides, b.strides) ||
      differ_in_hints(a.storage_offset, b.storage_offset)) {
    details.push_back("hints for the sizes of " + name);
  }
}

enum class Likeness { same, other_hints, different };

template <class Sym>
Likeness likeness(const schemagen::Map<Sym>& a, const std::string& name_a, const schemagen::Map<Sym>& b,
                  const std::string& name_b) {
  const Sym* const entry_a = a.find(name_a);
  const Sym* const entry_b = b.find(name_b);
  if (entry_a == nullptr || entry_b == nullptr) {
    return entry_a == entry_b ? Likeness::same : Likeness::different;
  }
  if (differ(*entry_a, *entry_b)) return Likeness::different;
  return schemagen::is_same_value(*entry_a, *entry_b) ? Likeness::same : Likeness::other_hints;
}

std::vector<std::pair<const std::string*, ValueName::Table>> slots(const Argument& argument) {
  std::vector<std::pair<const std::string*, ValueName::Table>> slots;
  for_each_slot(argument,
                [&](const std::string* name, ValueName::Table table) { slots.emplace_back(name, table); });
  return slots;
}

std::vector<const GraphArgument*> subgraphs(const Node& node) {
  std::vector<const GraphArgument*> graphs;
  for_each_subgraph(node, [&](const GraphArgument& subgraph) { graphs.push_back(&subgraph); });
  return graphs;
}

struct Gap {
  std::size_t from_a;
  std::size_t end_a;
  std::size_t from_b;
  std::size_t end_b;
};
using Matches = std::vector<std::pair<std::size_t, std::size_t>>;

template <class Key>
Matches match_by(const Gap& gap, const Graph& a, const Graph& b, const Key& key) {
  std::vector<std::string> keys;
  for (std::size_t i = gap.from_a; i < gap.end_a; ++i) keys.push_back(key(a.nodes[i]));
  for (std::size_t i = gap.from_b; i < gap.end_b; ++i) keys.push_back(key(b.nodes[i]));
  NameNumbers numbers;
  std::vector<std::uint32_t> keys_a;
  std::vector<std::uint32_t> keys_b;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    (i < gap.end_a - gap.from_a ? keys_a : keys_b).push_back(numbers.number(keys[i]));
  }
  Matches matches = match_sequences(keys_a, keys_b);
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

template <class Match>
Matches filled(const Gap& all, const Matches& matches, const Match& match) {
  Matches result;
  Gap gap = all;
  for (std::size_t i = 0; i <= matches.size(); ++i) {
    std::tie(gap.end_a, gap.end_b) = i < matches.size() ? matches[i] : std::pair(all.end_a, all.end_b);
    if (gap.from_a < gap.end_a && gap.from_b < gap.end_b) {
      const Matches inner = match(gap);
      result.insert(result.end(), inner.begin(), inner.end());
    }
    if (i < matches.size()) result.push_back(matches[i]);
    gap.from_a = gap.end_a + 1;
    gap.from_b = gap.end_b + 1;
  }
  return result;
}

template <class Spec>
std::vector<std::string> spec_keys(const std::vector<Spec>& specs) {
  std::vector<std::string> keys;
  schemagen::Map<std::size_t> counts;
  for (const Spec& spec : specs) {
    const auto parts = parts_of(spec);
    std::string key(name_of(parts.kind));
    // Names of values may differ.
    if (parts.target != nullptr && !parts.target_is_input) key += " " + *parts.target;
    keys.push_back(key + " " + std::to_string(counts[key]++));
  }
  return keys;
}

template <class Spec>
DiffLine row_of(const NamedGraph& graph, const Argument* argument, const Spec& spec) {
  std::string text = argument == nullptr ? "" : graph.text(*argument);
  if (argument != nullptr && graph.type(*argument) != text) text += "  " + graph.type(*argument);
  Spec named = spec;
  const auto parts = parts_of(named);
  if (parts.target_is_input) *parts.target = graph.original_name(*parts.target);
  return graph.line(text + "  " + meaning_text(named), argument);
}

/// Inputs of subgraphs have no spec.
DiffLine row_of(const NamedGraph& graph, const Argument& argument) {
  return graph.line(graph.text(argument) + "  " + graph.type(argument), &argument);
}

template <class T>
const T* item(const std::vector<T>& items, std::size_t index) {
  return index < items.size() ? &items[index] : nullptr;
}

}  // namespace

std::vector<NamedGraph> NamedGraph::subgraphs(std::size_t node) const {
  std::vector<NamedGraph> graphs;
  for_each_subgraph(graph_->nodes[node], [&](const GraphArgument& subgraph) {
    std::vector<std::string> path = line(std::string(), item(graph_->nodes[node].outputs, 0)).place;
    path.push_back(original_name(subgraph.name));
    graphs.emplace_back(*subgraph.graph, names_->subgraphs.at(node)[graphs.size()], std::move(path));
  });
  return graphs;
}

std::string NamedGraph::original_name(std::string_view name) const {
  const std::string* const found = names_->names.find(name);
  return found == nullptr ? std::string(name) : *found;
}

std::string NamedGraph::original(std::string_view name) const {
  return printable(original_name(name));
}

std::string NamedGraph::text(const Argument& argument) const {
  return argument_text(argument, [&](const ValueName& value) { return original(value.name); });
}

std::string NamedGraph::text(const Node& node) const {
  Node shown = node;
  for_each_subgraph(shown, [&](GraphArgument& subgraph) { subgraph.name = original(subgraph.name); });
  return node_text(*graph_, shown, Colours::none,
                   [&](const ValueName& value) { return original(value.name); });
}

DiffLine NamedGraph::line(std::string text, const Argument* argument) const {
  const std::string* first = nullptr;
  if (argument != nullptr) {
    for_each_slot(*argument, [&](const std::string* name, ValueName::Table) {
      if (first == nullptr) first = name;
    });
  }
  if (first == nullptr) return {std::move(text), {}};
  std::vector<std::string> place = path_;
  place.push_back(original_name(*first));
  return {std::move(text), std::move(place)};
}

DiffLine NamedGraph::line(const Node& node) const {
  return line(text(node), item(node.outputs, 0));
}

std::string NamedGraph::type(const Argument& argument) const {
  return argument_text(argument, [&](const ValueName& value) { return type_text(*graph_, value); });
}

void GraphDiff::add(Difference::Kind kind, const char* part, DiffLine before, DiffLine after,
                    std::vector<std::string> details) {
  differences_.push_back({kind, part, where_, std::move(before.text), std::move(after.text),
                          std::move(details), std::move(before.place), std::move(after.place)});
}

void GraphDiff::identify(const Argument& a, const Argument& b) {
  const auto slots_a = slots(a);
  const auto slots_b = slots(b);
  for (std::size_t i = 0; i < std::min(slots_a.size(), slots_b.size()); ++i) {
    if (slots_a[i].first != nullptr && slots_b[i].first != nullptr)
      same_[*slots_a[i].first] = *slots_b[i].first;
  }
}

bool GraphDiff::are_same(const Argument& a, const Argument& b) const {
  if (a.kind() != b.kind()) return false;
  switch (form_of(a.kind())) {
    case ArgumentForm::none:
    case ArgumentForm::literal:
    case ArgumentForm::literals:
      return a.is<Argument::as_graph>() || schemagen::is_same_value(a, b);
    case ArgumentForm::value:
    case ArgumentForm::values:
      return schemagen::is_same_value(named_in_b(a), b);
    case ArgumentForm::dict:
      break;
  }
  const auto without_contents = [](Argument argument) {
    for_each_subgraph(argument, [](GraphArgument& subgraph) { subgraph = GraphArgument(); });
    return argument;
  };
  return schemagen::is_same_value(named_in_b(without_contents(a)), without_contents(b));
}

Argument GraphDiff::named_in_b(Argument argument) const {
  for_each_slot(argument, [&](std::string* name, ValueName::Table) {
    if (name == nullptr) return;
    const std::string* const same = same_.find(*name);
    *name = same == nullptr ? "" : *same;
  });
  return argument;
}

void GraphDiff::add_type_details(std::vector<std::string>& details, const Argument& a,
                                 const Argument& b) const {
  const Graph& graph_a = a_.graph();
  const Graph& graph_b = b_.graph();
  const auto slots_a = slots(a);
  const auto slots_b = slots(b);
  for (std::size_t i = 0; i < std::min(slots_a.size(), slots_b.size()); ++i) {
    if (slots_a[i].first == nullptr || slots_b[i].first == nullptr) continue;
    const std::string& name_a = *slots_a[i].first;
    const std::string& name_b = *slots_b[i].first;
    const TensorMeta* const meta_a = graph_a.tensor_values.find(name_a);
    const TensorMeta* const meta_b = graph_b.tensor_values.find(name_b);
    if (meta_a != nullptr && meta_b != nullptr && *meta_a != *meta_b)
      add_meta_details(details, a_.original(name_a), *meta_a, *meta_b);
    const Likeness symbols =
        std::max({likeness(graph_a.sym_int_values, name_a, graph_b.sym_int_values, name_b),
                  likeness(graph_a.sym_float_values, name_a, graph_b.sym_float_values, name_b),
                  likeness(graph_a.sym_bool_values, name_a, graph_b.sym_bool_values, name_b)});
    if (symbols == Likeness::other_hints) details.push_back("hint of " + a_.original(name_a));
    if ((meta_a == nullptr) != (meta_b == nullptr) || symbols == Likeness::different) {
      details.push_back(then("type of " + a_.original(name_a),
                             type_text(graph_a, {slots_a[i].second, name_a}),
                             type_text(graph_b, {slots_b[i].second, name_b})));
    }
    const CustomObjArgument* const object_a = graph_a.custom_obj_values.find(name_a);
    const CustomObjArgument* const object_b = graph_b.custom_obj_values.find(name_b);
    if (slots_a[i].second == ValueName::Table::custom_objects && object_a != nullptr && object_b != nullptr &&
        object_a->class_fqn != object_b->class_fqn) {
      details.push_back(then("class of " + a_.original(name_a), printable(object_a->class_fqn),
                             printable(object_b->class_fqn)));
    }
  }
}

template <class Spec>
bool GraphDiff::mean_the_same(const Spec& a, const Spec& b) const {
  const auto parts_a = parts_of(a);
  const auto parts_b = parts_of(b);
  if (parts_a.persistent != parts_b.persistent) return false;
  if (parts_a.constant != nullptr && !schemagen::is_same_value(*parts_a.constant, *parts_b.constant))
    return false;
  if (!parts_a.target_is_input) return true;
  const std::string* const same = same_.find(*parts_a.target);
  return same != nullptr && *same == *parts_b.target;
}

template <class Spec>
void GraphDiff::diff_specs(const char* part, const std::vector<Argument>& arguments_a,
                           const std::vector<Spec>& specs_a, const std::vector<Argument>& arguments_b,
                           const std::vector<Spec>& specs_b) {
  const std::vector<std::string> keys_a = spec_keys(specs_a);
  const std::vector<std::string> keys_b = spec_keys(specs_b);
  schemagen::Map<std::size_t> places_b;
  for (std::size_t i = 0; i < keys_b.size(); ++i) places_b[keys_b[i]] = i;
  std::vector<bool> is_matched(keys_b.size(), false);
  std::vector<std::size_t> order;
  constexpr bool kAreInputs = std::is_same_v<Spec, InputSpec>;
  for (std::size_t i = 0; i < keys_a.size(); ++i) {
    const Argument* const argument_a = item(arguments_a, i);
    const std::size_t* const place = places_b.find(keys_a[i]);
    if (place == nullptr) {
      add(Difference::Kind::removed, part, row_of(a_, argument_a, specs_a[i]), {});
      continue;
    }
    is_matched[*place] = true;
    order.push_back(*place);
    const Argument* const argument_b = item(arguments_b, *place);
    std::vector<std::string> details;
    if (argument_a != nullptr && argument_b != nullptr) {
      if (kAreInputs) identify(*argument_a, *argument_b);
      if (!are_same(*argument_a, *argument_b)) details.push_back("value");
      if (kAreInputs) add_type_details(details, *argument_a, *argument_b);
    }
    if (!mean_the_same(specs_a[i], specs_b[*place])) details.push_back("meaning");
    if (details.empty()) continue;
    add(Difference::Kind::changed, part, row_of(a_, argument_a, specs_a[i]),
        row_of(b_, argument_b, specs_b[*place]), std::move(details));
  }
  for (std::size_t i = 0; i < keys_b.size(); ++i) {
    if (!is_matched[i]) add(Difference::Kind::added, part, {}, row_of(b_, item(arguments_b, i), specs_b[i]));
  }
  if (!std::is_sorted(order.begin(), order.end())) add(Difference::Kind::changed, part, {}, {}, {"order"});
}

void GraphDiff::diff_inputs(const GraphSignature& a, const GraphSignature& b) {
  diff_specs("inputs", a_.graph().inputs, a.input_specs, b_.graph().inputs, b.input_specs);
}

void GraphDiff::diff_outputs(const GraphSignature& a, const GraphSignature& b) {
  diff_specs("outputs", a_.graph().outputs, a.output_specs, b_.graph().outputs, b.output_specs);
}

void GraphDiff::diff_inputs_of_subgraphs() {
  const std::vector<Argument>& inputs_a = a_.graph().inputs;
  const std::vector<Argument>& inputs_b = b_.graph().inputs;
  for (std::size_t i = 0; i < std::max(inputs_a.size(), inputs_b.size()); ++i) {
    const Argument* const a = item(inputs_a, i);
    const Argument* const b = item(inputs_b, i);
    if (a == nullptr) {
      add(Difference::Kind::added, "inputs", {}, row_of(b_, *b));
    } else if (b == nullptr) {
      add(Difference::Kind::removed, "inputs", row_of(a_, *a), {});
    } else {
      std::vector<std::string> details;
      identify(*a, *b);
      if (!are_same(*a, *b)) details.push_back("value");
      add_type_details(details, *a, *b);
      if (!details.empty()) {
        add(Difference::Kind::changed, "inputs", row_of(a_, *a), row_of(b_, *b), std::move(details));
      }
    }
  }
}

void GraphDiff::diff_outputs_of_subgraphs() {
  const std::vector<Argument>& outputs_a = a_.graph().outputs;
  const std::vector<Argument>& outputs_b = b_.graph().outputs;
  for (std::size_t i = 0; i < std::max(outputs_a.size(), outputs_b.size()); ++i) {
    const Argument* const a = item(outputs_a, i);
    const Argument* const b = item(outputs_b, i);
    if (a == nullptr) {
      add(Difference::Kind::added, "outputs", {}, b_.line(b_.text(*b), b));
    } else if (b == nullptr) {
      add(Difference::Kind::removed, "outputs", a_.line(a_.text(*a), a), {});
    } else if (!are_same(*a, *b)) {
      add(Difference::Kind::changed, "outputs", a_.line(a_.text(*a), a), b_.line(b_.text(*b), b), {"value"});
    }
  }
  if (a_.graph().is_single_tensor_return != b_.graph().is_single_tensor_return) {
    add(Difference::Kind::changed, "outputs", {}, {},
        {"whether it returns a tensor or a list with one tensor"});
  }
}

Matches GraphDiff::match_nodes() const {
  const Graph& a = a_.graph();
  const Graph& b = b_.graph();
  const Gap all = {0, a.nodes.size(), 0, b.nodes.size()};
  Matches matches = match_by(all, a, b, node_key);
  matches = filled(all, matches, [&](const Gap& gap) {
    return match_by(gap, a, b, [](const Node& node) { return node.target; });
  });
  return filled(all, matches, [&](const Gap& gap) { return match_in_order(gap, a, b); });
}

std::vector<std::string> GraphDiff::node_details(const Node& a, const Node& b) const {
  std::vector<std::string> details;
  if (a.target != b.target) details.push_back("operator");
  for (std::size_t i = 0; i < std::max(a.inputs.size(), b.inputs.size()); ++i) {
    const NamedArgument* const input_a = item(a.inputs, i);
    const NamedArgument* const input_b = item(b.inputs, i);
    const NamedArgument& known = input_a == nullptr ? *input_b : *input_a;
    const std::string name = known.name.empty() ? std::to_string(i) : string_literal(known.name);
    if (input_a == nullptr || input_b == nullptr) {
      details.push_back("argument " + name + (input_a == nullptr ? " was added" : " was removed"));
    } else if (input_a->name != input_b->name || !are_same(input_a->arg, input_b->arg)) {
      details.push_back("argument " + name);
    } else if (input_a->kind && input_b->kind && input_a->kind != input_b->kind) {
      details.push_back("how argument " + name + " is passed");
    }
  }
  if (a.outputs.size() != b.outputs.size()) details.push_back("number of results");
  for (std::size_t i = 0; i < std::min(a.outputs.size(), b.outputs.size()); ++i) {
    if (a.outputs[i].kind() != b.outputs[i].kind() || !are_same(a.outputs[i], b.outputs[i])) {
      details.push_back("form of result " + std::to_string(i));
    }
    add_type_details(details, a.outputs[i], b.outputs[i]);
  }
  if (a.is_hop_single_tensor_return != b.is_hop_single_tensor_return) {
    details.push_back("whether it returns a tensor or a list with one tensor");
  }
  if (a.metadata != b.metadata) details.push_back("metadata");
  return details;
}

void GraphDiff::diff_node(std::size_t index_a, std::size_t index_b) {
  const Node& a = a_.graph().nodes[index_a];
  const Node& b = b_.graph().nodes[index_b];
  std::vector<std::string> details = node_details(a, b);
  if (!details.empty()) add(Difference::Kind::changed, "nodes", a_.line(a), b_.line(b), std::move(details));
  const std::vector<const GraphArgument*> arguments = subgraphs(a);
  const std::vector<NamedGraph> graphs_a = a_.subgraphs(index_a);
  const std::vector<NamedGraph> graphs_b = b_.subgraphs(index_b);
  for (std::size_t i = 0; i < std::min(graphs_a.size(), graphs_b.size()); ++i) {
    const std::string where = a_.original(arguments[i]->name) + (where_.empty() ? "" : " in " + where_);
    GraphDiff inner(graphs_a[i], graphs_b[i], where, differences_);
    inner.diff_inputs_of_subgraphs();
    inner.diff_nodes();
    inner.diff_outputs_of_subgraphs();
  }
}

void GraphDiff::diff_nodes() {
  const std::vector<Node>& nodes_a = a_.graph().nodes;
  const std::vector<Node>& nodes_b = b_.graph().nodes;
  const Matches matches = match_nodes();
  for (const auto& [index_a, index_b] : matches) {
    const std::vector<Argument>& outputs_a = nodes_a[index_a].outputs;
    const std::vector<Argument>& outputs_b = nodes_b[index_b].outputs;
    for (std::size_t i = 0; i < std::min(outputs_a.size(), outputs_b.size()); ++i) {
      identify(outputs_a[i], outputs_b[i]);
    }
  }
  std::size_t a = 0;
  std::size_t b = 0;
  for (std::size_t i = 0; i <= matches.size(); ++i) {
    const auto [end_a, end_b] = i < matches.size() ? matches[i] : std::pair(nodes_a.size(), nodes_b.size());
    for (; a < end_a; ++a) add(Difference::Kind::removed, "nodes", a_.line(nodes_a[a]), {});
    for (; b < end_b; ++b) add(Difference::Kind::added, "nodes", {}, b_.line(nodes_b[b]));
    if (i < matches.size()) diff_node(a++, b++);
  }
}

}  // namespace pt2
