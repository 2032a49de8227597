#include "pt2/canonical/stages.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "pt2/canonical/map_order.h"
#include "pt2/graph/argument_form.h"
#include "pt2/graph/index.h"
#include "pt2/graph/signature.h"
#include "pt2/graph/walk.h"

namespace pt2 {
namespace {

std::string numbered(const char* prefix, std::size_t number) {
  return prefix + std::to_string(number);
}

class NumberedNames {
 public:
  explicit NumberedNames(std::size_t expected) {
    numbers_.reserve(expected);
    places_.reserve(4 * expected);
  }

  void add(std::string& name) {
    if (!name.empty()) places_.emplace_back(&name, numbers_.number(name));
  }
  template <class Part>
  void add_names(Part& part) {
    for_each_name(part, [&](std::string& name) { add(name); });
  }
  template <class Spec>
  void add_spec(Spec& spec);

  void add_key(const std::string& key) { numbers_.number(keys_.emplace_back(key)); }
  bool has(const std::string& name) const {
    return name.empty() || numbers_.find(name) != NameNumbers::kNone;
  }

  std::size_t count() const { return numbers_.size(); }

  std::string new_name(const std::string& name) const {
    return name.empty() ? name : numbered("_", numbers_.find(name));
  }

  schemagen::Map<std::string> original() const {
    schemagen::Map<std::string> names;
    names.reserve(count());
    for (std::uint32_t i = 0; i < count(); ++i) names[numbered("_", i)] = std::string(numbers_.name(i));
    return names;
  }

  void apply() {
    for (const auto& [place, number] : places_) *place = numbered("_", number);
  }

 private:
  NameNumbers numbers_;
  std::vector<std::pair<std::string*, std::uint32_t>> places_;
  std::deque<std::string> keys_;  // copies, because tables are rebuilt while names are looked up
};

template <class Spec>
void NumberedNames::add_spec(Spec& spec) {
  const auto parts = parts_of(spec);
  if (parts.argument != nullptr) return add_names(*parts.argument);
  if (parts.name != nullptr) add(*parts.name);
  if (parts.target_is_input) add(*parts.target);
}

void add_unused_entries(NumberedNames& names, const Graph& graph, UnusedEntries& unused,
                        OriginalNames* original) {
  const std::size_t first = names.count();
  for_each_table(graph, [&](const auto& table, ValueName::Table) {
    for (auto& [key, value] : table) {
      if (!names.has(key)) names.add_key(key);
    }
  });
  for (auto& entry : graph.custom_obj_values) {
    if (!names.has(entry.value.name)) names.add_key(entry.value.name);
  }
  if (names.count() > first) unused[&graph] = {first, original};
  if (original != nullptr) original->names = names.original();
}

const std::string* only_result(const Node& node) {
  if (node.outputs.size() != 1 || node.is_hop_single_tensor_return == false) return nullptr;
  const Argument& output = node.outputs[0];
  if (form_of(output.kind()) != ArgumentForm::value || output.is<Argument::as_optional_tensor>())
    return nullptr;
  return first_name(node.outputs);
}

void rename_nodes(Graph& graph) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& node = graph.nodes[i];
    if (!node.name || node.name->empty()) continue;
    const std::string* const result = only_result(node);
    node.name = result == nullptr ? numbered("n", i) : *result;
  }
}

void add_nodes(NumberedNames& names, Graph& graph) {
  for (Node& node : graph.nodes) names.add_names(node.outputs);
  for (Node& node : graph.nodes) names.add_names(node.inputs);
  names.add_names(graph.outputs);
}

void rename_subgraphs(Graph& graph, UnusedEntries& unused, OriginalNames* original);

template <class AddMore>
void rename_graph(Graph& graph, NumberedNames& names, UnusedEntries& unused, OriginalNames* original,
                  const AddMore& add_more) {
  add_nodes(names, graph);
  add_more();
  add_unused_entries(names, graph, unused, original);
  for (auto& entry : graph.custom_obj_values) {
    entry.value.name = names.new_name(entry.value.name);
  }
  for_each_table(graph, [&](auto& table, ValueName::Table) {
    rename_keys(table, [&](const std::string& key) { return names.new_name(key); });
  });
  names.apply();
  rename_nodes(graph);
  rename_subgraphs(graph, unused, original);
}

void rename_graph(Graph& graph, UnusedEntries& unused, OriginalNames* original) {
  NumberedNames names(graph.tensor_values.size());
  names.add_names(graph.inputs);
  rename_graph(graph, names, unused, original, [] {});
}

void rename_subgraphs(Graph& graph, UnusedEntries& unused, OriginalNames* original) {
  NameNumbers numbers;
  std::vector<std::pair<std::string*, std::uint32_t>> places;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const std::size_t first = places.size();
    std::vector<Graph*> subgraphs;
    for_each_subgraph(graph.nodes[i], [&](GraphArgument& subgraph) {
      places.emplace_back(&subgraph.name, numbers.number(subgraph.name));
      subgraphs.push_back(&*subgraph.graph);
    });
    if (subgraphs.empty()) continue;
    std::vector<OriginalNames>* inner = nullptr;
    if (original != nullptr) (inner = &original->subgraphs[i])->resize(subgraphs.size());
    for (std::size_t j = 0; j < subgraphs.size(); ++j) {
      if (inner != nullptr)
        original->names[numbered("_g", places[first + j].second)] = *places[first + j].first;
      rename_graph(*subgraphs[j], unused, inner == nullptr ? nullptr : &(*inner)[j]);
    }
  }
  for (const auto& [name, number] : places) *name = numbered("_g", number);
}

}  // namespace

UnusedEntries rename_values(Graph& graph) {
  UnusedEntries unused;
  rename_graph(graph, unused, nullptr);
  return unused;
}

UnusedEntries rename_values(GraphModule& module, OriginalNames* original) {
  UnusedEntries unused;
  Graph& graph = module.graph;
  GraphSignature& signature = module.signature;
  NumberedNames names(graph.tensor_values.size() + graph.sym_int_values.size());
  for (std::size_t i = 0; i < std::max(graph.inputs.size(), signature.input_specs.size()); ++i) {
    if (i < graph.inputs.size()) names.add_names(graph.inputs[i]);
    if (i < signature.input_specs.size()) names.add_spec(signature.input_specs[i]);
  }
  rename_graph(graph, names, unused, original, [&] {
    for (OutputSpec& spec : signature.output_specs) names.add_spec(spec);
    for (ModuleCallEntry& call : module.module_call_graph) {
      if (!call.signature) continue;
      names.add_names(call.signature->inputs);
      names.add_names(call.signature->outputs);
    }
  });
  return unused;
}

}  // namespace pt2
