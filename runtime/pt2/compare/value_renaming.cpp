#include "pt2/compare/value_renaming.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "pt2/graph/name_numbers.h"
#include "pt2/graph/value_slots.h"
#include "pt2/json.h"

namespace pt2 {
namespace {

std::string numbered(const char* prefix, std::size_t number) {
  return prefix + std::to_string(number);
}

/// Collects the places of a graph's names, and numbers the names in the order in which they come.
class Names {
 public:
  explicit Names(std::size_t expected) {
    numbers_.reserve(expected);
    places_.reserve(4 * expected);
  }

  /// A name of length 0 is none, and stays.
  void add(std::string& name) {
    if (!name.empty()) places_.emplace_back(&name, numbers_.number(name));
  }
  void add(Argument& argument) {
    for_each_slot(argument, [&](std::string* name, ValueName::Table) {
      if (name != nullptr) add(*name);
    });
  }
  void add(std::vector<Argument>& arguments) {
    for (Argument& argument : arguments) add(argument);
  }
  void add(InputSpec& spec);
  void add(OutputSpec& spec);

  /// Gives a number to a name that is only a key of a table.
  void add_key(const std::string& key) { numbers_.number(keys_.emplace_back(key)); }
  bool has(const std::string& name) const {
    return name.empty() || numbers_.find(name) != NameNumbers::kNone;
  }

  /// The new name of one that was added.
  std::string new_name(const std::string& name) const {
    return name.empty() ? name : numbered("_", numbers_.find(name));
  }

  /// Writes the new names. Ends the use of this object.
  void apply() {
    for (const auto& [place, number] : places_) *place = numbered("_", number);
  }

 private:
  NameNumbers numbers_;
  std::vector<std::pair<std::string*, std::uint32_t>> places_;
  std::deque<std::string> keys_;  // copies, as tables are made anew while names are looked up
};

void Names::add(InputSpec& spec) {
  switch (spec.kind()) {
    case InputSpec::user_input:
      return add(spec.get<InputSpec::user_input>().arg);
    case InputSpec::parameter:
      return add(spec.get<InputSpec::parameter>().arg.name);
    case InputSpec::buffer:
      return add(spec.get<InputSpec::buffer>().arg.name);
    case InputSpec::tensor_constant:
      return add(spec.get<InputSpec::tensor_constant>().arg.name);
    case InputSpec::custom_obj:
      return add(spec.get<InputSpec::custom_obj>().arg.name);
    case InputSpec::token:
      return add(spec.get<InputSpec::token>().arg.name);
    case InputSpec::constant_input:
      return add(spec.get<InputSpec::constant_input>().name);
    case InputSpec::unset:
      return;
  }
}

void Names::add(OutputSpec& spec) {
  switch (spec.kind()) {
    case OutputSpec::user_output:
      return add(spec.get<OutputSpec::user_output>().arg);
    case OutputSpec::loss_output:
      return add(spec.get<OutputSpec::loss_output>().arg.name);
    case OutputSpec::buffer_mutation:
      return add(spec.get<OutputSpec::buffer_mutation>().arg.name);
    case OutputSpec::parameter_mutation:
      return add(spec.get<OutputSpec::parameter_mutation>().arg.name);
    case OutputSpec::gradient_to_parameter:
      return add(spec.get<OutputSpec::gradient_to_parameter>().arg.name);
    case OutputSpec::gradient_to_user_input:
      add(spec.get<OutputSpec::gradient_to_user_input>().arg.name);
      return add(spec.get<OutputSpec::gradient_to_user_input>().user_input_name);
    case OutputSpec::user_input_mutation:
      add(spec.get<OutputSpec::user_input_mutation>().arg.name);
      return add(spec.get<OutputSpec::user_input_mutation>().user_input_name);
    case OutputSpec::token:
      return add(spec.get<OutputSpec::token>().arg.name);
    case OutputSpec::unset:
      return;
  }
}

// ---- Value tables ----

/// Calls `visit` with each of the five.
template <class Visit>
void for_each_table(Graph& graph, const Visit& visit) {
  visit(graph.tensor_values);
  visit(graph.sym_int_values);
  visit(graph.sym_bool_values);
  visit(graph.sym_float_values);
  visit(graph.custom_obj_values);
}

/// Names what is in a table and nowhere else: such entries are told apart by what they hold.
void add_unused_entries(Names& names, Graph& graph) {
  std::vector<std::pair<std::string, const std::string*>> unused;  // JSON, key
  for_each_table(graph, [&](auto& table) {
    unused.clear();
    for (auto [key, value] : table) {
      if (!names.has(key)) unused.emplace_back(schemagen::to_json(value), &key);
    }
    std::stable_sort(unused.begin(), unused.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [json, key] : unused) names.add_key(*key);
  });
}

template <class T>
void rename_keys(schemagen::Map<T>& table, const Names& names) {
  std::vector<std::pair<std::string, T*>> entries;
  entries.reserve(table.size());
  for (auto [key, value] : table) entries.emplace_back(names.new_name(key), &value);
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  schemagen::Map<T> renamed;
  renamed.reserve(entries.size());
  for (auto& [key, value] : entries) *renamed.try_emplace(std::move(key)).first = std::move(*value);
  table = std::move(renamed);
}

// ---- Nodes and subgraphs ----

/// The name of the one value that `node` gives; null where it gives none, or several.
const std::string* only_result(const Node& node) {
  if (node.outputs.size() != 1 || node.is_hop_single_tensor_return == false) return nullptr;
  switch (node.outputs[0].kind()) {
    case Argument::as_tensor:
    case Argument::as_sym_int:
    case Argument::as_sym_float:
    case Argument::as_sym_bool:
    case Argument::as_custom_obj:
      break;
    default:
      return nullptr;
  }
  const std::string* result = nullptr;
  for_each_slot(node.outputs[0], [&](const std::string* name, ValueName::Table) { result = name; });
  return result;
}

void rename_nodes(Graph& graph) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    Node& node = graph.nodes[i];
    if (!node.name || node.name->empty()) continue;
    const std::string* const result = only_result(node);
    node.name = result == nullptr ? numbered("n", i) : *result;
  }
}

void rename_graph(Graph& graph, Names& names);

void rename_subgraphs(Graph& graph) {
  NameNumbers numbers;
  std::vector<std::pair<std::string*, std::uint32_t>> places;
  for (Node& node : graph.nodes) {
    for (NamedArgument& input : node.inputs) {
      for_each_subgraph(input.arg, [&](GraphArgument& subgraph) {
        places.emplace_back(&subgraph.name, numbers.number(subgraph.name));
        Names names(subgraph.graph->tensor_values.size());
        names.add(subgraph.graph->inputs);
        rename_graph(*subgraph.graph, names);
      });
    }
  }
  for (const auto& [name, number] : places) *name = numbered("_g", number);
}

void add_nodes(Names& names, Graph& graph) {
  for (Node& node : graph.nodes) names.add(node.outputs);
  for (Node& node : graph.nodes) {
    for (NamedArgument& input : node.inputs) names.add(input.arg);
  }
  names.add(graph.outputs);
}

/// `names` has the inputs' names, and those that are used outside of the graph come after its own.
template <class AddMore>
void rename_graph(Graph& graph, Names& names, const AddMore& add_more) {
  add_nodes(names, graph);
  add_more();
  add_unused_entries(names, graph);
  for (auto entry : graph.custom_obj_values) {
    std::string& name = entry.value.name;
    if (names.has(name)) name = names.new_name(name);
  }
  for_each_table(graph, [&](auto& table) { rename_keys(table, names); });
  names.apply();
  rename_nodes(graph);
  rename_subgraphs(graph);
}

void rename_graph(Graph& graph, Names& names) {
  rename_graph(graph, names, [] {});
}

}  // namespace

void rename_values(GraphModule& module) {
  Graph& graph = module.graph;
  GraphSignature& signature = module.signature;
  Names names(graph.tensor_values.size() + graph.sym_int_values.size());
  for (std::size_t i = 0; i < std::max(graph.inputs.size(), signature.input_specs.size()); ++i) {
    if (i < graph.inputs.size()) names.add(graph.inputs[i]);
    if (i < signature.input_specs.size()) names.add(signature.input_specs[i]);
  }
  rename_graph(graph, names, [&] {
    for (OutputSpec& spec : signature.output_specs) names.add(spec);
    for (ModuleCallEntry& call : module.module_call_graph) {
      if (!call.signature) continue;
      names.add(call.signature->inputs);
      names.add(call.signature->outputs);
    }
  });
}

}  // namespace pt2
