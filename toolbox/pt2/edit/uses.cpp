#include "pt2/edit/graph.h"

#include <algorithm>

#include "pt2/graph/index.h"
#include "pt2/graph/signature.h"
#include "pt2/schema_info.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

[[noreturn]] void cannot_replace(const std::string& message) {
  throw schemagen::UsageError("cannot replace a value: " + message);
}

bool name_value(const std::vector<Argument>& arguments, std::string_view name) {
  bool found = false;
  for_each_name(arguments, [&](const std::string& value) { found = found || value == name; });
  return found;
}

std::string shown_node(const Node& node) {
  const std::string* const first = first_name(node.outputs);
  return first == nullptr ? "the operator " + schemagen::quoted(node.target) : schemagen::quoted(*first);
}

Argument::Kind literal_of(ValueName::Table table) {
  switch (table) {
    case ValueName::Table::sym_ints:
      return Argument::as_int;
    case ValueName::Table::sym_floats:
      return Argument::as_float;
    case ValueName::Table::sym_bools:
      return Argument::as_bool;
    case ValueName::Table::tensors:
    case ValueName::Table::custom_objects:
      break;
  }
  return Argument::as_none;
}

void check(const GraphIndex& index, std::uint32_t value, const Argument& substitute, std::size_t first) {
  const ValueName::Table expected = index.table(value);
  const std::string* const name = value_of(substitute);
  if (name == nullptr) {
    if (literal_of(expected) == substitute.kind() && !substitute.is<Argument::as_none>()) return;
    cannot_replace(schemagen::quoted(index.name(value)) + " cannot be replaced by " +
                   std::string(name_of(substitute.kind())));
  }
  const std::uint32_t other = index.find(*name);
  if (other == GraphIndex::kNone || !index.is_defined(other)) {
    cannot_replace("the graph lacks the value " + schemagen::quoted(*name));
  }
  if (index.table(other) != expected) {
    cannot_replace(schemagen::quoted(*name) + " and " + schemagen::quoted(index.name(value)) +
                   " are of different kinds");
  }
  const std::uint32_t definition = index.defining_node(other);
  if (definition == GraphIndex::kNone) return;
  for (const GraphIndex::User& user : index.users(value)) {
    if (user.node == GraphIndex::kNone || user.node < first || user.node > definition) continue;
    cannot_replace(schemagen::quoted(*name) + " is defined after " +
                   shown_node(index.graph().nodes[user.node]) + ", which uses " +
                   schemagen::quoted(index.name(value)));
  }
}

void substitute_in_signatures(const Substitutes& substitutes, GraphModule& module) {
  for (OutputSpec& spec : module.signature.output_specs) {
    const auto parts = parts_of(spec);
    if (parts.argument != nullptr) {
      substitute(substitutes, *parts.argument);
    } else if (const Argument* const found = parts.name ? substitutes.find(*parts.name) : nullptr) {
      *parts.name = std::string(*value_of(*found));
    }
  }
  for (ModuleCallEntry& call : module.module_call_graph) {
    if (!call.signature) continue;
    substitute(substitutes, call.signature->inputs);
    substitute(substitutes, call.signature->outputs);
  }
}

}  // namespace

std::vector<std::string> users_of(const ExportedProgram& program, const Graph& graph, std::string_view name) {
  std::vector<std::string> users;
  for (const Node& node : graph.nodes) {
    bool is_user = false;
    for (const NamedArgument& input : node.inputs) {
      for_each_slot(input.arg, [&](const std::string* value, ValueName::Table) {
        is_user = is_user || (value != nullptr && *value == name);
      });
    }
    if (is_user) users.push_back(shown_node(node));
  }
  if (name_value(graph.outputs, name)) users.emplace_back("an output");
  const GraphModule& module = program.graph_module;
  if (&graph != &module.graph) return users;
  for (const OutputSpec& spec : module.signature.output_specs) {
    const auto parts = parts_of(spec);
    if (parts.target_is_input && *parts.target == name) users.emplace_back("a mutation or gradient of it");
  }
  for (const ModuleCallEntry& call : module.module_call_graph) {
    if (!call.signature) continue;
    if (name_value(call.signature->inputs, name) || name_value(call.signature->outputs, name)) {
      users.push_back("the signature of module " + schemagen::quoted(call.fqn));
    }
  }
  return users;
}

schemagen::Map<bool> module_values(const GraphModule& module) {
  schemagen::Map<bool> names;
  for (const ModuleCallEntry& call : module.module_call_graph) {
    if (!call.signature) continue;
    for_each_name(call.signature->inputs, [&](const std::string& name) { names.try_emplace(name); });
    for_each_name(call.signature->outputs, [&](const std::string& name) { names.try_emplace(name); });
  }
  return names;
}

std::string users_text(const std::vector<std::string>& users) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(users.size(), kMost); ++i) text += (i == 0 ? "" : ", ") + users[i];
  if (users.size() > kMost) text += " and " + std::to_string(users.size() - kMost) + " more";
  return text;
}

void replace_uses(ExportedProgram& program, Graph& graph, const Substitutes& substitutes, std::size_t first) {
  {
    const GraphIndex index(graph);
    for (const auto& [name, substitute] : substitutes) {
      const std::uint32_t value = index.find(name);
      if (value == GraphIndex::kNone) cannot_replace("the graph lacks the value " + schemagen::quoted(name));
      check(index, value, substitute, first);
    }
  }
  for (std::size_t node = first; node < graph.nodes.size(); ++node) {
    for (NamedArgument& input : graph.nodes[node].inputs) substitute(substitutes, input.arg);
  }
  replace_output_uses(program, graph, substitutes);
}

void replace_output_uses(ExportedProgram& program, Graph& graph, const Substitutes& substitutes) {
  substitute(substitutes, graph.outputs);
  if (&graph == &program.graph_module.graph) substitute_in_signatures(substitutes, program.graph_module);
}

}  // namespace pt2
