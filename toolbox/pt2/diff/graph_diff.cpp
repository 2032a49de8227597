#include "pt2/diff/graph_diff.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>

#include "pt2/graph/argument_form.h"
#include "pt2/graph/index.h"
#include "pt2/graph/signature.h"
#include "pt2/graph/walk.h"
#include "pt2/json.h"
#include "pt2/nodes/node_key.h"
#include "pt2/schema_info.h"
#include "pt2/strings/argument_text.h"
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

/// The two programs, whose symbols can have different names.
struct Sides {
  const NamedGraph& a;
  const NamedGraph& b;

  std::string then(const std::string& what, const std::string& before, const std::string& after) const {
    return what + ": " + a.with_symbols(before) + ", then " + b.with_symbols(after);
  }
};

/// Shows the JSON if the texts are equal, e.g. if only the assumptions about a symbol differ.
template <class T, class Text>
std::string then(const Sides& sides, const std::string& what, const T& a, const T& b, const Text& text) {
  std::string before = text(a);
  std::string after = text(b);
  if (before == after) {
    before = schemagen::printable_start(schemagen::to_json(a), {}, kMostJson);
    after = schemagen::printable_start(schemagen::to_json(b), {}, kMostJson);
  }
  return sides.then(what, before, after);
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

void add_meta_details(std::vector<std::string>& details, const std::string& name, const Sides& sides,
                      const TensorMeta& a, const TensorMeta& b) {
  const auto add = [&](const char* what, const auto& before, const auto& after, const auto& text) {
    details.push_back(then(sides, what + name, before, after, text));
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

std::vector<const GraphArgument*> subgraphs(const Node& node) {
  std::vector<const GraphArgument*> graphs;
  for_each_subgraph(node, [&](const GraphArgument& subgraph) { graphs.push_back(&subgraph); });
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

template <class Spec>
DiffLine row_of(const NamedGraph& graph, const Argument* argument, const Spec* spec) {
  std::string text = argument == nullptr ? "" : graph.text(*argument);
  if (argument != nullptr && (spec != nullptr || std::is_same_v<Spec, InputSpec>)) {
    if (const std::string type = graph.type(*argument); type != text) text += "  " + type;
  }
  if (spec != nullptr) {
    Spec named = *spec;
    const auto parts = parts_of(named);
    if (parts.target_is_input) *parts.target = graph.original_name(*parts.target);
    text += "  " + meaning_text(named);
  }
  return graph.line(std::move(text), argument);
}

/// Compares names by what they stand for.
struct SameNames {
  NamePairs& values;
  NamePairs* subgraphs = nullptr;  // null where the normal form does not rename subgraphs

  template <class T, class... Others>
  static constexpr bool is_one_of = (std::is_same_v<T, Others> || ...);

  template <class T, std::enable_if_t<is_one_of<T, TensorArgument, TokenArgument>, int> = 0>
  bool operator()(const T& a, const T& b) const {
    return values.are_same(a.name, b.name);
  }
  bool operator()(const CustomObjArgument& a, const CustomObjArgument& b) const {
    return values.are_same(a.name, b.name) && a.class_fqn == b.class_fqn;
  }
  template <class T,
            std::enable_if_t<is_one_of<T, SymIntArgument, SymFloatArgument, SymBoolArgument>, int> = 0>
  bool operator()(const T& a, const T& b) const {
    const std::string* const name_a = a.template get_if<T::as_name>();
    const std::string* const name_b = b.template get_if<T::as_name>();
    return name_a != nullptr && name_b != nullptr ? values.are_same(*name_a, *name_b)
                                                  : schemagen::is_same_value(a, b);
  }
  bool operator()(const GraphArgument& a, const GraphArgument& b) const {
    return subgraphs != nullptr ? subgraphs->are_same(a.name, b.name) : schemagen::is_same_value(a, b);
  }
  bool operator()(const InputToConstantInputSpec& a, const InputToConstantInputSpec& b) const {
    return values.are_same(a.name, b.name) && schemagen::is_same_value(a.value, b.value);
  }
  template <class T, std::enable_if_t<is_one_of<T, GradientToUserInputSpec, UserInputMutationSpec>, int> = 0>
  bool operator()(const T& a, const T& b) const {
    return (*this)(a.arg, b.arg) && values.are_same(a.user_input_name, b.user_input_name);
  }
};

template <class T>
bool are_same_parts(const T& a, const T& b, const SameNames& names) {
  return schemagen::is_same_value(a, b, names);
}

/// Returns all nodes in order. Between two matches, the nodes of `a` come first.
std::vector<KeyMatch> match_nodes(const Graph& a, const Graph& b) {
  const Gap all = {0, a.nodes.size(), 0, b.nodes.size()};
  Matches matches = match_by(all, a, b, node_key);
  matches = filled(all, matches, [&](const Gap& gap) {
    return match_by(gap, a, b, [](const Node& node) { return node.target; });
  });
  matches = filled(all, matches, [&](const Gap& gap) { return match_in_order(gap, a, b); });
  matches.emplace_back(all.end_a, all.end_b);
  std::vector<KeyMatch> nodes;
  std::size_t next_a = 0;
  std::size_t next_b = 0;
  for (const auto& [end_a, end_b] : matches) {
    for (; next_a < end_a; ++next_a) nodes.push_back({next_a, std::nullopt});
    for (; next_b < end_b; ++next_b) nodes.push_back({std::nullopt, next_b});
    if (end_a < all.end_a) nodes.push_back({next_a++, next_b++});
  }
  return nodes;
}

/// The names in the value tables that `is_known` does not accept, and what their entries contain.
struct UndefinedValues {
  template <class IsKnown>
  UndefinedValues(const Graph& graph, const IsKnown& is_known) {
    schemagen::Map<std::size_t> places;
    for_each_table(graph, [&](const auto& table, ValueName::Table kind) {
      for (const auto& [name, entry] : table) {
        if (is_known(name)) continue;
        const auto [place, is_new] = places.try_emplace(name);
        if (is_new) {
          *place = names.size();
          names.push_back(name);
          contents.emplace_back(name.empty() ? "unnamed" : "");
        }
        auto nameless = entry;
        if constexpr (std::is_same_v<decltype(nameless), CustomObjArgument>) nameless.name.clear();
        contents[*place] += std::to_string(static_cast<int>(kind)) + schemagen::to_json(nameless);
      }
    });
  }

  std::vector<std::string> names;
  std::vector<std::string> contents;
};

}  // namespace

std::vector<NamedGraph> NamedGraph::subgraphs(std::size_t node) const {
  std::vector<NamedGraph> graphs;
  for_each_subgraph(graph_->nodes[node], [&](const GraphArgument& subgraph) {
    std::vector<std::string> path = line(std::string(), item(graph_->nodes[node].outputs, 0)).place;
    path.push_back(original_name(subgraph.name));
    graphs.emplace_back(*subgraph.graph, names_->subgraphs.at(node)[graphs.size()], *symbols_,
                        std::move(path));
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
  return node_text([&](const ValueName& value) { return type(value); }, shown, Colours::none,
                   [&](const ValueName& value) { return original(value.name); });
}

DiffLine NamedGraph::line(std::string text, const Argument* argument) const {
  const std::string* first = nullptr;
  const auto note = [&](const std::string& name) { first = first == nullptr ? &name : first; };
  if (argument != nullptr) for_each_name(*argument, note);
  if (first == nullptr) return {std::move(text), {}};
  std::vector<std::string> place = path_;
  place.push_back(original_name(*first));
  return {std::move(text), std::move(place)};
}

DiffLine NamedGraph::line(const Node& node) const {
  return line(text(node), item(node.outputs, 0));
}

DiffLine NamedGraph::line(const std::string& name) const {
  std::vector<std::string> types;
  for_each_table(*graph_, [&](const auto& table, ValueName::Table kind) {
    if (table.contains(name)) types.push_back(type({kind, name}));
  });
  return {original(name) + ": " + join_texts(types, ", "), {}};
}

std::string NamedGraph::type(const Argument& argument) const {
  return argument_text(argument, [&](const ValueName& value) { return type(value); });
}

std::string NamedGraph::type(const ValueName& value) const {
  return with_symbols(type_text(*graph_, value));
}

std::string NamedGraph::with_symbols(std::string_view text) const {
  return replace_symbols(text, [&](std::string_view symbol) {
    const std::string* const original = symbols_->find(symbol);
    return original == nullptr ? std::string(symbol) : *original;
  });
}

int name_state(const Node& node) {
  return !node.name ? 0 : node.name->empty() ? 1 : 2;
}

void NamePairs::define(const std::string* a, const std::string* b) {
  if (a != nullptr && !a->empty()) to_b_[*a] = b == nullptr ? "" : *b;
  if (b != nullptr && !b->empty()) to_a_[*b] = a == nullptr ? "" : *a;
}

bool NamePairs::are_same(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a == b;
  const std::string* const known = to_b_.find(a);
  if (known != nullptr || to_a_.contains(b)) return known != nullptr && *known == b;
  define(&a, &b);
  undefined_.emplace_back(a, b);
  return true;
}

bool GraphDiff::are_same(const std::vector<Argument>& a, const std::vector<Argument>& b) {
  return are_same_parts(a, b, {values_});
}

void GraphDiff::add(const char* part, DiffLine before, DiffLine after, std::vector<std::string> details) {
  if (differences_.size() > kMostDifferences) return;
  if (differences_.size() == kMostDifferences) {
    before = {};
    after = {};
    details = {"more differences, which are not listed"};
  }
  const Difference::Kind kind = before.text.empty() == after.text.empty() ? Difference::Kind::changed
                                : before.text.empty()                     ? Difference::Kind::added
                                                                          : Difference::Kind::removed;
  differences_.push_back({kind, part, where_, std::move(before.text), std::move(after.text),
                          std::move(details), std::move(before.place), std::move(after.place)});
}

void GraphDiff::define(const Argument* a, const Argument* b) {
  const auto slots_a = slots(a);
  const auto slots_b = slots(b);
  for (std::size_t i = 0; i < std::max(slots_a.size(), slots_b.size()); ++i) {
    values_.define(i < slots_a.size() ? slots_a[i] : nullptr, i < slots_b.size() ? slots_b[i] : nullptr);
  }
}

void GraphDiff::add_value_details(std::vector<std::string>& details, const Argument& a, const Argument& b) {
  const auto slots_a = slots(&a);
  const auto slots_b = slots(&b);
  for (std::size_t i = 0; i < std::min(slots_a.size(), slots_b.size()); ++i) {
    if (slots_a[i] != nullptr && slots_b[i] != nullptr) add_value_details(details, *slots_a[i], *slots_b[i]);
  }
}

void GraphDiff::add_value_details(std::vector<std::string>& details, const std::string& name_a,
                                  const std::string& name_b) {
  const std::string name = a_.original(name_a);
  const Sides sides{a_, b_};
  for_each_table(a_.graph(), b_.graph(), [&](const auto& table_a, const auto& table_b, auto table) {
    const auto* const a = table_a.find(name_a);
    const auto* const b = table_b.find(name_b);
    if (a == nullptr && b == nullptr) return;
    const auto text = [&](const auto& entry) {
      return &entry == a ? type_text(a_.graph(), {table, name_a}) : type_text(b_.graph(), {table, name_b});
    };
    const auto add = [&](const char* what) { details.push_back(then(sides, what + name, *a, *b, text)); };
    if (a == nullptr || b == nullptr) {
      details.push_back(
          sides.then("type of " + name, a == nullptr ? "none" : text(*a), b == nullptr ? "none" : text(*b)));
      // NOLINTNEXTLINE(bugprone-branch-clone): discarded branches count as empty
    } else if constexpr (std::is_same_v<decltype(a), const TensorMeta* const>) {
      add_meta_details(details, name, sides, *a, *b);
    } else if constexpr (std::is_same_v<decltype(a), const CustomObjArgument* const>) {
      if (a->class_fqn != b->class_fqn) add("class of ");
      if (!values_.are_same(a->name, b->name)) {
        details.push_back("object of " + name + ": " + a_.original(a->name) + ", then " +
                          b_.original(b->name));
      }
    } else {
      if (differ(*a, *b)) add("type of ");
      if (differ_in_hints(*a, *b)) details.push_back("hint of " + name);
    }
  });
}

template <class Spec>
bool GraphDiff::mean_the_same(const Spec& a, const Spec& b) {
  const auto parts_a = parts_of(a);
  const auto parts_b = parts_of(b);
  if (parts_a.persistent != parts_b.persistent) return false;
  if (parts_a.constant != nullptr && !schemagen::is_same_value(*parts_a.constant, *parts_b.constant))
    return false;
  return !parts_a.target_is_input || values_.are_same(*parts_a.target, *parts_b.target);
}

template <class Spec>
void GraphDiff::diff_arguments(const char* part, const std::vector<KeyMatch>& matches,
                               const std::vector<Argument>& arguments_a, const std::vector<Spec>& specs_a,
                               const std::vector<Argument>& arguments_b, const std::vector<Spec>& specs_b) {
  for (const KeyMatch& match : matches) {
    const Argument* const a = item(arguments_a, match.a);
    const Argument* const b = item(arguments_b, match.b);
    const Spec* const spec_a = item(specs_a, match.a);
    const Spec* const spec_b = item(specs_b, match.b);
    std::vector<std::string> details;
    if (match.a && match.b) {
      const bool has_other_value = a == nullptr || b == nullptr ? a != b : !are_same_parts(*a, *b, {values_});
      if (has_other_value) details.push_back("value");
      if (std::is_same_v<Spec, InputSpec> && a != nullptr && b != nullptr) add_value_details(details, *a, *b);
      if (spec_a != nullptr && !are_same_parts(*spec_a, *spec_b, {values_})) {
        if (!mean_the_same(*spec_a, *spec_b)) {
          details.push_back("meaning");
        } else if (!has_other_value) {
          details.push_back("value in the signature");
        }
      }
      if (details.empty()) continue;
    }
    add(part, match.a ? row_of(a_, a, spec_a) : DiffLine(), match.b ? row_of(b_, b, spec_b) : DiffLine(),
        std::move(details));
  }
  if (!are_in_order(matches)) add(part, {}, {}, {"order"});
}

void GraphDiff::diff(const GraphSignature& signature_a, const GraphSignature& signature_b) {
  const Graph& a = a_.graph();
  const Graph& b = b_.graph();
  const std::vector<KeyMatch> inputs = match_keys(argument_keys(a.inputs, signature_a.input_specs),
                                                  argument_keys(b.inputs, signature_b.input_specs));
  for (const KeyMatch& match : inputs) define(item(a.inputs, match.a), item(b.inputs, match.b));
  const std::vector<KeyMatch> nodes = match_nodes(a, b);
  const std::vector<Argument> none;
  for (const KeyMatch& match : nodes) {
    const std::vector<Argument>& results_a = match.a ? a.nodes[*match.a].outputs : none;
    const std::vector<Argument>& results_b = match.b ? b.nodes[*match.b].outputs : none;
    for (std::size_t i = 0; i < std::max(results_a.size(), results_b.size()); ++i) {
      define(item(results_a, i), item(results_b, i));
    }
  }
  diff_arguments("inputs", inputs, a.inputs, signature_a.input_specs, b.inputs, signature_b.input_specs);
  for (const KeyMatch& match : nodes) {
    if (match.a && match.b) {
      diff_node(*match.a, *match.b);
    } else {
      add("nodes", match.a ? a_.line(a.nodes[*match.a]) : DiffLine(),
          match.b ? b_.line(b.nodes[*match.b]) : DiffLine());
    }
  }
  diff_arguments("outputs",
                 match_keys(argument_keys(a.outputs, signature_a.output_specs),
                            argument_keys(b.outputs, signature_b.output_specs)),
                 a.outputs, signature_a.output_specs, b.outputs, signature_b.output_specs);
  if (a.is_single_tensor_return != b.is_single_tensor_return) add("outputs", {}, {}, {kSingleOrList});
}

std::vector<std::string> GraphDiff::node_details(const Node& a, const Node& b) {
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
    if (input_a->name != input_b->name ||
        !are_same_parts(input_a->arg, input_b->arg, {values_, &subgraphs_})) {
      details.push_back("argument " + name);
    }
    if (input_a->kind != input_b->kind && !one_sided_.argument_kinds) {
      details.push_back("how argument " + name + " is passed");
    }
  }
  if (a.outputs.size() != b.outputs.size()) details.push_back("number of results");
  for (std::size_t i = 0; i < std::min(a.outputs.size(), b.outputs.size()); ++i) {
    if (!are_same_parts(a.outputs[i], b.outputs[i], {values_}))
      details.push_back("form of result " + std::to_string(i));
    add_value_details(details, a.outputs[i], b.outputs[i]);
  }
  if (a.is_hop_single_tensor_return != b.is_hop_single_tensor_return) details.push_back(kSingleOrList);
  if (a.metadata != b.metadata) details.push_back("metadata");
  if (name_state(a) != name_state(b) && !one_sided_.node_names) {
    details.push_back("whether the node has a name");
  }
  return details;
}

void GraphDiff::diff_node(std::size_t index_a, std::size_t index_b) {
  const Node& a = a_.graph().nodes[index_a];
  const Node& b = b_.graph().nodes[index_b];
  std::vector<std::string> details = node_details(a, b);
  if (!details.empty()) add("nodes", a_.line(a), b_.line(b), std::move(details));
  const std::vector<const GraphArgument*> arguments = subgraphs(a);
  const std::vector<NamedGraph> graphs_a = a_.subgraphs(index_a);
  const std::vector<NamedGraph> graphs_b = b_.subgraphs(index_b);
  for (std::size_t i = 0; i < std::min(graphs_a.size(), graphs_b.size()); ++i) {
    const std::string where = a_.original(arguments[i]->name) + (where_.empty() ? "" : " in " + where_);
    GraphDiff inner(graphs_a[i], graphs_b[i], where, one_sided_, differences_);
    inner.diff({}, {});
    inner.diff_undefined_values();
  }
}

void GraphDiff::diff_undefined_value(const std::string* a, const std::string* b) {
  std::vector<std::string> details;
  if (a != nullptr && b != nullptr) {
    add_value_details(details, *a, *b);
    if (details.empty() && a->empty() == b->empty()) return;
  }
  add("values", a == nullptr ? DiffLine() : a_.line(*a), b == nullptr ? DiffLine() : b_.line(*b),
      std::move(details));
}

void GraphDiff::diff_undefined_values() {
  for (std::size_t i = 0; i < values_.undefined().size(); ++i) {
    const auto [a, b] = values_.undefined()[i];  // a copy, because the comparison can add more
    diff_undefined_value(&a, &b);
  }
  const UndefinedValues a(a_.graph(), [&](const auto& name) { return values_.is_known_in_a(name); });
  const UndefinedValues b(b_.graph(), [&](const auto& name) { return values_.is_known_in_b(name); });
  std::vector<KeyMatch> matches = match_keys(a.contents, b.contents);
  // Values with other contents are matched in order. The rest of `b` comes last.
  auto rest = std::find_if(matches.begin(), matches.end(), [](const KeyMatch& match) { return !match.a; });
  for (KeyMatch& match : matches) {
    if (match.a && !match.b && rest != matches.end()) match.b = std::exchange((rest++)->b, std::nullopt);
  }
  for (const KeyMatch& match : matches) values_.define(item(a.names, match.a), item(b.names, match.b));
  for (const KeyMatch& match : matches) {
    if (match.a || match.b) diff_undefined_value(item(a.names, match.a), item(b.names, match.b));
  }
}

}  // namespace pt2
