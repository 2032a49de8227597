#include "pt2/verify/check.h"

namespace pt2 {
namespace {

void check_definitions(Check& check, const Check::Scope& scope) {
  const GraphIndex& index = scope.index;
  for (std::uint32_t value = 0; index.is_defined(value); ++value) {
    if (!index.is_repeated(value)) continue;
    const std::uint32_t first = index.find(index.name(value));
    check.add(
        RuleId::name_repeated, check.path_of_value(scope, value),
        schemagen::quoted(index.name(value)) + " is already defined at " + check.path_of_value(scope, first));
  }
  for (std::uint32_t value = index.defined_count(); value < index.size(); ++value) {
    // An object that is not an input is a constant with that name.
    if (index.table(value) == ValueName::Table::custom_objects) continue;
    check.add(RuleId::name_undefined, check.path_of_value(scope, value),
              "this graph does not define " + schemagen::quoted(index.name(value)));
  }
}

void check_order(Check& check, const Check::Scope& scope) {
  const GraphIndex& index = scope.index;
  for (std::uint32_t node = 0; node < index.node_count(); ++node) {
    for (const GraphIndex::Use& use : index.uses(node)) {
      const std::uint32_t definition = index.defining_node(use.value);
      if (definition == GraphIndex::kNone || definition < node) continue;
      check.add(RuleId::name_used_early, check.path_of_input(scope, node, use.input),
                schemagen::quoted(index.name(use.value)) + " is used before node " +
                    std::to_string(definition) + " defines it");
    }
  }
}

void check_node_names(Check& check, const Check::Scope& scope) {
  const GraphIndex& index = scope.index;
  const std::vector<Node>& nodes = index.graph().nodes;
  NameNumbers names;
  std::uint32_t count = 0;
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    const std::string* const name = nodes[node].name ? &*nodes[node].name : nullptr;
    if (name == nullptr || name->empty()) continue;
    const auto is_called_as_result = [&](std::uint32_t other) {
      const std::uint32_t result = index.outputs_begin(other);
      return result < index.outputs_end(other) && !index.is_repeated(result) &&
             nodes[other].name == index.name(result);
    };
    if (is_called_as_result(node)) continue;
    const std::uint32_t value = index.find(*name);
    const std::uint32_t other = value == GraphIndex::kNone ? value : index.defining_node(value);
    const bool is_new = names.number(*name) == count;
    if (is_new) ++count;
    if (is_new &&
        (other == GraphIndex::kNone || index.outputs_begin(other) != value || !is_called_as_result(other))) {
      continue;
    }
    check.add(RuleId::node_name_repeated, check.path_of(scope, node) + ".name",
              "another node in this graph is also named " + schemagen::quoted(*name));
  }
}

struct Found {
  ValueName::Table table = ValueName::Table::tensors;
  std::uint32_t tables = 0;
};

void check_value(Check& check, const Check::Scope& scope, std::uint32_t value, const Found& found) {
  const ValueName::Table expected = scope.index.table(value);
  if (found.tables == 1 && found.table == expected) return;
  const std::string name = schemagen::quoted(scope.index.name(value));
  const std::string path = check.path_of_value(scope, value);
  if (found.tables == 0) {
    check.add(RuleId::value_missing, path,
              name + " is not in " + table_name(expected) + ", the table for its type");
  } else if (found.tables > 1) {
    check.add(RuleId::value_repeated, path, name + " is in several value tables");
  } else {
    check.add(RuleId::value_misplaced, path,
              name + " belongs in " + table_name(expected) + ", but is in " + table_name(found.table));
  }
}

/// Also reports entries that no graph defines.
std::vector<Found> look_into_tables(Check& check, const Check::Scope& scope) {
  const GraphIndex& index = scope.index;
  std::vector<Found> found(index.defined_count());
  std::uint32_t next = 0;  // saves most lookups: torch writes entries in definition order
  for_each_table(index.graph(), [&](const auto& map, ValueName::Table table) {
    for (const auto& entry : map) {
      const bool is_next =
          index.is_defined(next) && index.name(next) == entry.key() && !index.is_repeated(next);
      const std::uint32_t value = is_next ? next : index.find(entry.key());
      if (value != GraphIndex::kNone && index.is_defined(value)) {
        found[value] = {table, found[value].tables + 1};
        next = value + 1;
        continue;
      }
      if (table == ValueName::Table::custom_objects && value != GraphIndex::kNone) continue;
      check.add(RuleId::value_unused, check.path_of_entry(scope, table, entry.key()),
                "no input or node defines " + schemagen::quoted(entry.key()));
    }
  });
  return found;
}

/// Of nodes and constant inputs.
schemagen::Set other_names(const Check& check) {
  schemagen::Set names;
  for (const auto& parts : check.index.signature().inputs()) {
    if (parts.name != nullptr) names.insert(*parts.name);
  }
  for (const Node& node : check.program.graph_module.graph.nodes) {
    if (node.name) names.insert(*node.name);
  }
  return names;
}

}  // namespace

void check_names(Check& check, const Check::Scope& scope) {
  check_definitions(check, scope);
  check_order(check, scope);
  check_node_names(check, scope);
}

void check_values(Check& check, const Check::Scope& scope) {
  const std::vector<Found> found = look_into_tables(check, scope);
  for (std::uint32_t value = 0; value < found.size(); ++value) {
    if (!scope.index.is_repeated(value)) check_value(check, scope, value, found[value]);
  }
}

void check_modules(Check& check) {
  const std::vector<ModuleCallEntry>& entries = check.program.graph_module.module_call_graph;
  const std::string path = "graph_module.module_call_graph";
  std::optional<schemagen::Set> others;  // few programs need them
  const auto check_all = [&](const std::vector<Argument>& arguments, const std::string& place) {
    const GraphIndex& top = check.index.top();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      for_each_name(arguments[i], [&](const std::string& name) {
        if (name.empty() || top.is_defined(top.find(name))) return;
        if (!others) others = other_names(check);
        if (others->contains(name)) return;
        check.add(RuleId::module_value, at_index(place, i),
                  "the graph lacks the value " + schemagen::quoted(name));
      });
    }
  };
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].signature) continue;
    check_all(entries[i].signature->inputs, at_index(path, i) + ".signature.inputs");
    check_all(entries[i].signature->outputs, at_index(path, i) + ".signature.outputs");
  }
  if (entries.empty() || !entries[0].fqn.empty() || !entries[0].signature) {
    check.add(RuleId::module_root, path,
              "expected the first entry to be the model itself, with a signature and an empty name");
  }
}

}  // namespace pt2
