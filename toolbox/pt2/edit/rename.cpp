#include "pt2/edit/rename.h"

#include <algorithm>
#include <map>
#include <set>

#include "pt2/edit/graph.h"
#include "pt2/graph/signature.h"
#include "pt2/program.h"
#include "pt2/text/affix.h"
#include "pt2/text/python_name.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"
#include "schemagen/base/unknown_fields.h"
#include "schemagen/base/utf8.h"

namespace pt2 {
namespace {

using NewNames = std::map<std::string, std::string, std::less<>>;

[[noreturn]] void cannot_rename(const std::string& message) {
  throw schemagen::UsageError("cannot rename: " + message);
}

/// torch allows nearly any text: `user-id`, `item/id`, `a b`, `0`.
bool is_qualified_name(std::string_view name) {
  const bool has_empty_part =
      name.empty() || name.front() == '.' || name.back() == '.' || name.find("..") != name.npos;
  return !has_empty_part && is_weight_name(name) && !schemagen::find_bad_utf8(name);
}

std::set<std::string, std::less<>> defined_names(const Graph& graph) {
  std::set<std::string, std::less<>> names;
  for_each_defined_name(graph, [&](const std::string& name) { names.insert(name); });
  return names;
}

template <class Visit>
void for_each_spec(GraphSignature& signature, const Visit& visit) {
  for (InputSpec& spec : signature.input_specs) visit(parts_of(spec));
  for (OutputSpec& spec : signature.output_specs) visit(parts_of(spec));
}

std::set<std::string, std::less<>> targets_of(GraphSignature& signature) {
  std::set<std::string, std::less<>> targets;
  for_each_spec(signature, [&](const auto& parts) {
    if (parts.target != nullptr && !parts.target_is_input) targets.insert(*parts.target);
  });
  return targets;
}

struct ProgramNames {
  Graph* graph;
  std::set<std::string, std::less<>> taken;
  NewNames changes;

  bool has(const std::string& name) const { return taken.count(name) != 0; }
};

ProgramNames& home_of(const std::string& name, std::vector<ProgramNames>& all) {
  const auto has = [&](const ProgramNames& names) { return names.has(name); };
  ProgramNames& top = all.front();
  ProgramNames& model = all.back();
  if (top.has(name)) return top;
  if (model.has(name)) return model;
  const auto first = std::find_if(all.begin(), all.end(), has);
  if (first == all.end()) cannot_rename("unknown value, parameter or buffer " + schemagen::quoted(name));
  if (std::find_if(first + 1, all.end(), has) != all.end())
    cannot_rename("the name is ambiguous: several subgraphs have a value " + schemagen::quoted(name));
  return *first;
}

void check_new_names(const ProgramNames& names) {
  std::set<std::string_view> given;
  for (const auto& [old_name, new_name] : names.changes) {
    const bool is_good = names.graph != nullptr ? is_value_name(new_name) : is_qualified_name(new_name);
    if (!is_good) cannot_rename(schemagen::quoted(new_name) + " is not a valid name");
    const bool is_free = !names.has(new_name) || names.changes.count(new_name) != 0;
    if (!is_free || !given.insert(new_name).second)
      cannot_rename("the name " + schemagen::quoted(new_name) + " is taken");
  }
}

std::vector<ProgramNames> plan(ExportedProgram& program, const std::vector<NameChange>& changes,
                               const std::vector<std::string>& weights) {
  std::vector<ProgramNames> all;
  for_each_graph(program.graph_module.graph, [&](Graph& graph) {
    all.push_back({&graph, defined_names(graph), {}});
  });
  all.push_back({nullptr, targets_of(program.graph_module.signature), {}});
  all.back().taken.insert(weights.begin(), weights.end());
  for (const NameChange& change : changes) {
    ProgramNames& names = home_of(change.old_name, all);
    if (!names.changes.emplace(change.old_name, change.new_name).second) {
      cannot_rename(schemagen::quoted(change.old_name) + " is given twice");
    }
  }
  for (const ProgramNames& names : all) check_new_names(names);
  return all;
}

void apply(const NewNames& changes, std::string& name) {
  if (const auto found = changes.find(name); found != changes.end()) name = found->second;
}

/// Any part that for_each_name() accepts.
template <class Part>
void apply_to_names(const NewNames& changes, Part& part) {
  for_each_name(part, [&](std::string& name) { apply(changes, name); });
}

template <class T>
void apply(const NewNames& changes, schemagen::Map<T>& table) {
  schemagen::Map<T> renamed;
  renamed.reserve(table.size());
  for (auto& [key, value] : table) {
    std::string name = key;
    apply(changes, name);
    *renamed.try_emplace(std::move(name)).first = std::move(value);
  }
  table = std::move(renamed);
}

void apply(const NewNames& changes, Graph& graph) {
  apply_to_names(changes, graph.inputs);
  apply_to_names(changes, graph.outputs);
  for (Node& node : graph.nodes) {
    apply_to_names(changes, node.inputs);
    apply_to_names(changes, node.outputs);
    if (node.name) apply(changes, *node.name);
  }
  for_each_table(graph, [&](auto& table, ValueName::Table) { apply(changes, table); });
}

void apply_to_signatures(const NewNames& values, const NewNames& targets, GraphModule& module) {
  for_each_spec(module.signature, [&](const auto& parts) {
    if (parts.argument != nullptr) {
      apply_to_names(values, *parts.argument);
    } else if (parts.name != nullptr) {
      apply(values, *parts.name);
    }
    if (parts.target != nullptr) apply(parts.target_is_input ? values : targets, *parts.target);
  });
  for (ModuleCallEntry& call : module.module_call_graph) {
    if (!call.signature) continue;
    apply_to_names(values, call.signature->inputs);
    apply_to_names(values, call.signature->outputs);
  }
}

/// The graph and the key of the table entry that contains an unknown field; null if it is elsewhere.
std::pair<Graph*, std::string*> find_entry(std::vector<schemagen::UnknownFieldStep>& path,
                                           GraphModule& module) {
  std::size_t at = 0;
  const auto is = [&](std::string_view key) {
    const bool is_it = at < path.size() && path[at].key == key;
    at += is_it ? 1 : 0;
    return is_it;
  };
  const auto item = [&](auto* list) {
    const bool is_there = list != nullptr && at < path.size() && path[at].index < list->size();
    return is_there ? &(*list)[path[at++].index] : nullptr;
  };
  Graph* graph = is("graph_module") && is("graph") ? &module.graph : nullptr;
  while (graph != nullptr) {
    if (at + 1 < path.size() && ends_with(path[at].key, "_values")) return {graph, &path[at + 1].key};
    Node* const node = item(is("nodes") ? &graph->nodes : nullptr);
    NamedArgument* const input = item(node != nullptr && is("inputs") ? &node->inputs : nullptr);
    Argument* argument = input != nullptr && is("arg") ? &input->arg : nullptr;
    while (argument != nullptr && is("as_string_to_argument")) {
      auto* const dict = argument->get_if<Argument::as_string_to_argument>();
      argument = dict != nullptr && at < path.size() ? dict->find(path[at++].key) : nullptr;
    }
    auto* const held = argument == nullptr ? nullptr : argument->get_if<Argument::as_graph>();
    graph = held != nullptr && is("as_graph") && is("graph") ? &*held->graph : nullptr;
  }
  return {};
}

std::vector<NameChange> rename_all(ExportedProgram& program, const std::vector<NameChange>& changes,
                                   const std::vector<std::string>& weights,
                                   std::vector<schemagen::UnknownField>& kept) {
  std::vector<ProgramNames> all = plan(program, changes, weights);
  for (const ProgramNames& names : all) {
    if (names.graph != nullptr && !names.changes.empty()) apply(names.changes, *names.graph);
  }
  apply_to_signatures(all.front().changes, all.back().changes, program.graph_module);
  for (schemagen::UnknownField& field : kept) {
    const auto [graph, name] = find_entry(field.path, program.graph_module);
    for (const ProgramNames& names : all) {
      if (graph != nullptr && names.graph == graph) apply(names.changes, *name);
    }
  }
  std::vector<NameChange> of_model;
  for (const auto& [old_name, new_name] : all.back().changes) of_model.push_back({old_name, new_name});
  return of_model;
}

}  // namespace

std::vector<NameChange> rename(ExportedProgram& program, const std::vector<NameChange>& changes,
                               const std::vector<std::string>& weights) {
  std::vector<schemagen::UnknownField> none;
  return rename_all(program, changes, weights, none);
}

std::vector<NameChange> rename(LoadedProgram& loaded, const std::vector<NameChange>& changes,
                               const std::vector<std::string>& weights) {
  return rename_all(loaded.program, changes, weights, loaded.unknown_fields);
}

}  // namespace pt2
