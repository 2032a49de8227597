#include "pt2/canonical/stages.h"

#include "pt2/canonical/map_order.h"
#include "pt2/graph/argument_form.h"
#include "pt2/graph/signature.h"
#include "pt2/graph/walk.h"

namespace pt2 {
namespace {

/// Numbers names in order of first occurrence.
class NumberedNames {
 public:
  explicit NumberedNames(const char* prefix, std::size_t expected = 0) : prefix_(prefix) {
    new_names_.reserve(expected);
  }

  const std::string& add(const std::string& name) {
    const auto [new_name, is_new] = new_names_.try_emplace(name);
    if (is_new) *new_name = prefix_ + std::to_string(new_names_.size() - 1);
    return *new_name;
  }
  void rename(std::string& name) {
    if (!name.empty()) name = add(name);
  }
  template <class Part>
  void rename_in(Part& part) {
    for_each_name(part, [&](std::string& name) { rename(name); });
  }
  template <class Spec>
  void rename_in_spec(Spec& spec) {
    const auto parts = parts_of(spec);
    if (parts.argument != nullptr) return rename_in(*parts.argument);
    if (parts.name != nullptr) rename(*parts.name);
    if (parts.target_is_input) rename(*parts.target);
  }

  std::size_t count() const { return new_names_.size(); }

  schemagen::Map<std::string> original() const {
    schemagen::Map<std::string> names;
    names.reserve(count());
    for (const auto& [name, new_name] : new_names_) names[new_name] = name;
    return names;
  }

 private:
  const char* prefix_;
  schemagen::Map<std::string> new_names_;
};

void rename_tables(NumberedNames& names, Graph& graph, UnusedEntries& unused, OriginalNames* original) {
  const std::size_t first = names.count();
  for_each_table(graph, [&](auto& table, ValueName::Table) {
    for (const auto& [key, value] : table) {
      if (!key.empty()) names.add(key);
    }
  });
  for (auto& entry : graph.custom_obj_values) names.rename(entry.value.name);
  if (names.count() > first) unused[&graph] = {first, original};
  if (original != nullptr) original->names = names.original();
  for_each_table(graph, [&](auto& table, ValueName::Table) {
    rename_keys(table, [&](const std::string& key) { return key.empty() ? key : names.add(key); });
  });
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
    node.name = result == nullptr ? "n" + std::to_string(i) : *result;
  }
}

void rename_subgraphs(Graph& graph, UnusedEntries& unused, OriginalNames* original);

/// The inputs are already renamed.
template <class RenameMore>
void rename_graph(Graph& graph, NumberedNames& names, UnusedEntries& unused, OriginalNames* original,
                  const RenameMore& rename_more) {
  for (Node& node : graph.nodes) names.rename_in(node.outputs);
  for (Node& node : graph.nodes) names.rename_in(node.inputs);
  names.rename_in(graph.outputs);
  rename_more();
  rename_tables(names, graph, unused, original);
  rename_nodes(graph);
  rename_subgraphs(graph, unused, original);
}

void rename_graph(Graph& graph, UnusedEntries& unused, OriginalNames* original) {
  NumberedNames names("_", graph.tensor_values.size());
  names.rename_in(graph.inputs);
  rename_graph(graph, names, unused, original, [] {});
}

void rename_subgraphs(Graph& graph, UnusedEntries& unused, OriginalNames* original) {
  NumberedNames names("_g");
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    std::size_t count = 0;
    for_each_subgraph(graph.nodes[i], [&](const GraphArgument&) { ++count; });
    if (count == 0) continue;
    OriginalNames* inner = nullptr;
    if (original != nullptr) {
      original->subgraphs[i].resize(count);
      inner = original->subgraphs[i].data();
    }
    for_each_subgraph(graph.nodes[i], [&](GraphArgument& subgraph) {
      const std::string old_name = std::exchange(subgraph.name, names.add(subgraph.name));
      if (original != nullptr) original->names[subgraph.name] = old_name;
      rename_graph(*subgraph.graph, unused, original == nullptr ? nullptr : inner++);
    });
  }
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
  NumberedNames names("_", graph.tensor_values.size() + graph.sym_int_values.size());
  for (std::size_t i = 0; i < std::max(graph.inputs.size(), signature.input_specs.size()); ++i) {
    if (i < graph.inputs.size()) names.rename_in(graph.inputs[i]);
    if (i < signature.input_specs.size()) names.rename_in_spec(signature.input_specs[i]);
  }
  rename_graph(graph, names, unused, original, [&] {
    for (OutputSpec& spec : signature.output_specs) names.rename_in_spec(spec);
    for (ModuleCallEntry& call : module.module_call_graph) {
      if (!call.signature) continue;
      names.rename_in(call.signature->inputs);
      names.rename_in(call.signature->outputs);
    }
  });
  return unused;
}

}  // namespace pt2
