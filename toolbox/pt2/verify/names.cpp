#include "pt2/verify/check.h"

#include "pt2/graph/index.h"
#include "pt2/graph/walk.h"

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

template <class Path>
void check_argument(Check& check, const Argument& argument, const Path& path) {
  if (argument.kind() == Argument::unset)
    check.add(RuleId::member_missing, path(), "no member of the argument is set");
  for_each_slot(argument, [&](const std::string* name, ValueName::Table table) {
    if (name == nullptr || !name->empty()) return;
    check.add(RuleId::name_empty, path(),
              std::string("a value that belongs in ") + table_name(table) + " has no name");
  });
}

void check_arguments(Check& check, const Check::Scope& scope) {
  const Graph& graph = scope.index.graph();
  const auto check_all = [&](const std::vector<Argument>& arguments, const auto& path) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      check_argument(check, arguments[i], [&] { return at_index(path(), i); });
    }
  };
  check_all(graph.inputs, [&] { return check.path_of(scope) + ".inputs"; });
  check_all(graph.outputs, [&] { return check.path_of(scope) + ".outputs"; });
  for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) {
    const Node& each = graph.nodes[node];
    check_all(each.outputs, [&] { return check.path_of(scope, node) + ".outputs"; });
    for (std::uint32_t input = 0; input < each.inputs.size(); ++input) {
      check_argument(check, each.inputs[input].arg, [&] { return check.path_of_input(scope, node, input); });
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

}  // namespace

void check_names(Check& check) {
  for (const Check::Scope& scope : check.index().scopes()) {
    check_definitions(check, scope);
    check_order(check, scope);
    check_arguments(check, scope);
    check_node_names(check, scope);
  }
}

}  // namespace pt2
