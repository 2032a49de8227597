#include "pt2/edit/graph.h"

#include <algorithm>
#include <iterator>

#include "pt2/edit/placement.h"
#include "pt2/edit/torch_conventions.h"
#include "pt2/graph/index.h"
#include "pt2/nodes/argument_fit.h"
#include "pt2/nodes/list_items.h"
#include "pt2/operators/operator_schema.h"
#include "pt2/schema_info.h"
#include "pt2/text/numbers.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

/// Splits `add_1` into `add` and 1. The number of other names is 0.
std::pair<std::string_view, std::size_t> parse_name(std::string_view name) {
  const std::size_t at = name.find_last_not_of("0123456789");
  if (at == name.npos || at == 0 || at + 1 == name.size() || name[at] != '_') return {name, 0};
  const auto number = integer_of_text<std::size_t>(name.substr(at + 1));
  return {number ? name.substr(0, at) : name, number.value_or(0)};
}

[[noreturn]] void cannot_replace(const std::string& message) {
  throw schemagen::UsageError("cannot replace a value: " + message);
}

std::string shown_node(const Node& node) {
  const std::string* const first = first_name(node.outputs);
  return first == nullptr ? "the operator " + schemagen::quoted(node.target) : schemagen::quoted(*first);
}

void check(const GraphIndex& index, std::uint32_t value, const Argument& substitute, std::size_t first) {
  const ValueName::Table expected = index.table(value);
  const std::string* const name = value_of(substitute);
  if (name == nullptr) {
    if (substitute.kind() == kind_of_literal(value_argument(expected, {}).kind())) return;
    cannot_replace(schemagen::quoted(index.name(value)) + " cannot be replaced by " +
                   std::string(name_of(substitute.kind())));
  }
  const std::uint32_t other = index.find(*name);
  if (!index.is_defined(other)) cannot_replace("the graph lacks the value " + schemagen::quoted(*name));
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

schemagen::Map<bool> names_before(const Graph& graph, std::size_t at) {
  schemagen::Map<bool> names;
  const auto add = [&](const std::string& name) { names.try_emplace(name); };
  for_each_name(graph.inputs, add);
  for (std::size_t i = 0; i < at; ++i) for_each_name(graph.nodes[i].outputs, add);
  return names;
}

void require_names(const Argument& argument, const schemagen::Map<bool>& names) {
  for_each_name(argument, [&](const std::string& name, ValueName::Table table) {
    if (names.contains(name) || table == ValueName::Table::custom_objects) return;
    throw schemagen::UsageError("the value " + schemagen::quoted(name) + " is not defined at this node");
  });
}

using Inputs = std::vector<NamedArgument>;

std::size_t position_of(const Operator& op, const Inputs& inputs, std::size_t input) {
  return inputs[input].name.empty() ? input : argument_position(op, inputs[input].name);
}

/// Positional only if all arguments before it are given.
void add_input(const Operator& op, std::size_t position, Argument value, Inputs& inputs) {
  std::size_t at = 0;
  while (at < inputs.size() && position_of(op, inputs, at) < position) ++at;
  NamedArgument input;
  input.name = op.arguments[position].name;
  input.arg = std::move(value);
  if (inputs.empty() || inputs.front().kind) {
    const bool is_keyword = op.arguments[position].is_keyword_only || at != position ||
                            (at > 0 && inputs[at - 1].kind == ArgumentKind::KEYWORD);
    input.kind = is_keyword ? ArgumentKind::KEYWORD : ArgumentKind::POSITIONAL;
  }
  inputs.insert(inputs.begin() + static_cast<std::ptrdiff_t>(at), std::move(input));
}

/// torch writes lists without symbolic items as literals.
void substitute_items(const Substitutes& substitutes, Argument& list) {
  const bool are_optional = list.is<Argument::as_optional_tensors>();
  std::vector<Argument> items = *items_of(list);
  for (Argument& item : items) {
    const std::string* const name = value_of(item);
    const Argument* const found = name == nullptr ? nullptr : substitutes.find(*name);
    const bool can_be_item =
        found == nullptr || found->kind() == item.kind() || found->kind() == kind_of_literal(item.kind()) ||
        (are_optional && (found->is<Argument::as_none>() || found->is<Argument::as_optional_tensor>()));
    if (!can_be_item) {
      throw schemagen::UsageError("cannot replace " + schemagen::quoted(*name) + ", an item of a list of " +
                                  (item.is<Argument::as_tensor>() ? "tensors" : "symbolic values") +
                                  ", with " + std::string(name_of(found->kind())));
    }
    substitute(substitutes, item);
    item = without_wrapper(item);
  }
  list = list_of_items(std::move(items), are_optional);
}

}  // namespace

FreshNames::FreshNames(const Graph& graph) {
  taken_.reserve(2 * graph.nodes.size() + graph.inputs.size());
  for_each_defined_name(graph, [&](const std::string& name) { taken_.try_emplace(name); });
  for (const Node& node : graph.nodes) {
    for_each_subgraph(node, [&](const GraphArgument& subgraph) { taken_.try_emplace(subgraph.name); });
  }
}

std::string FreshNames::take(std::string_view wanted) {
  if (!is_reserved_name(wanted) && claim(std::string(wanted))) return std::string(wanted);
  const auto [base, last] = parse_name(wanted);
  std::size_t& count = counts_[base];
  if (last > count) count = last;
  std::string name;
  do {
    name = std::string(base) + "_" + std::to_string(++count);
  } while (!claim(name));
  return name;
}

std::vector<std::string> users_of(const ExportedProgram& program, const Graph& graph, std::string_view name) {
  std::vector<std::string> users;
  const auto is_it = [&](const std::string& value) { return value == name; };
  for (const Node& node : graph.nodes) {
    if (names_any(node.inputs, is_it)) users.push_back(shown_node(node));
  }
  if (names_any(graph.outputs, is_it)) users.emplace_back("an output");
  const GraphModule& module = program.graph_module;
  if (&graph != &module.graph) return users;
  for (const OutputSpec& spec : module.signature.output_specs) {
    const auto parts = parts_of(spec);
    if (parts.target_is_input && *parts.target == name) users.emplace_back("a mutation or gradient of it");
  }
  for (const ModuleCallEntry& call : module.module_call_graph) {
    if (!call.signature) continue;
    if (names_any(call.signature->inputs, is_it) || names_any(call.signature->outputs, is_it)) {
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

std::string users_text(const std::vector<std::string>& users, const char* separator) {
  constexpr std::size_t kMost = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(users.size(), kMost); ++i)
    text += (i == 0 ? "" : separator) + users[i];
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

std::vector<Argument> insert_before(Graph& graph, std::size_t at, const Graph& part,
                                    const std::vector<Argument>& inputs) {
  if (at > graph.nodes.size()) require_node(graph, at);
  FreshNames names(graph);
  Graph made = placed(part, inputs, names);
  schemagen::Map<bool> known = names_before(graph, at);
  for (const Node& node : made.nodes) {
    for (const NamedArgument& input : node.inputs) require_names(input.arg, known);
    for_each_name(node.outputs, [&](const std::string& name) { known.try_emplace(name); });
  }
  graph.nodes.insert(graph.nodes.begin() + static_cast<std::ptrdiff_t>(at),
                     std::make_move_iterator(made.nodes.begin()), std::make_move_iterator(made.nodes.end()));
  add_values(graph, made);
  return std::move(made.outputs);
}

std::vector<Argument> insert_after(Graph& graph, std::size_t at, const Graph& part,
                                   const std::vector<Argument>& inputs) {
  require_node(graph, at);
  return insert_before(graph, at + 1, part, inputs);
}

void erase_node(ExportedProgram& program, Graph& graph, std::size_t at) {
  require_node(graph, at);
  schemagen::Map<bool> gone;
  for_each_name(graph.nodes[at].outputs, [&](const std::string& name) {
    const std::vector<std::string> users = users_of(program, graph, name);
    if (!users.empty()) {
      throw schemagen::UsageError("cannot erase a node: its result " + schemagen::quoted(name) +
                                  " is used by " + users_text(users));
    }
    gone.try_emplace(name);
  });
  graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(at));
  remove_values(graph, gone);
}

void set_argument(Graph& graph, std::size_t at, std::string_view name, Argument value,
                  const OperatorSet& operators) {
  require_node(graph, at);
  Node& node = graph.nodes[at];
  const Operator* const op = operators.find(node.target);
  const std::string asked =
      "cannot set the argument " + schemagen::quoted(name) + " of " + schemagen::quoted(node.target) + ": ";
  if (op == nullptr || op->kind == OperatorKind::higher_order)
    throw schemagen::UsageError(asked + "its schema is unknown");
  const std::size_t position = argument_position(*op, name);
  if (position == op->arguments.size())
    throw schemagen::UsageError(asked + "its schema has no such argument: " + schema_text(*op));
  const OperatorType& type = op->arguments[position].type;
  if (!fits(value, type)) {
    throw schemagen::UsageError(asked + "expected " + schema_text(type) + ", got " +
                                std::string(name_of(value.kind())));
  }
  require_names(value, names_before(graph, at));
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (position_of(*op, node.inputs, i) == position) {
      node.inputs[i].arg = std::move(value);
      return;
    }
  }
  add_input(*op, position, std::move(value), node.inputs);
}

const std::string* value_of(const Argument& argument) {
  const std::string* value = nullptr;
  if (form_of(argument.kind()) == ArgumentForm::value) {
    for_each_slot(argument, [&](const std::string* name, ValueName::Table) { value = name; });
  }
  return value;
}

Argument value_argument(ValueName::Table table, const std::string& name) {
  switch (table) {
    case ValueName::Table::tensors:
      return Argument::of<Argument::as_tensor>(TensorArgument{name});
    case ValueName::Table::sym_ints:
      return Argument::of<Argument::as_sym_int>(SymIntArgument::of<SymIntArgument::as_name>(name));
    case ValueName::Table::sym_floats:
      return Argument::of<Argument::as_sym_float>(SymFloatArgument::of<SymFloatArgument::as_name>(name));
    case ValueName::Table::sym_bools:
      return Argument::of<Argument::as_sym_bool>(SymBoolArgument::of<SymBoolArgument::as_name>(name));
    case ValueName::Table::custom_objects:
      break;
  }
  return Argument::of<Argument::as_custom_obj>(CustomObjArgument{name, {}});
}

Argument value_argument(const Graph& graph, const std::string& name) {
  const ValueMeta meta = find_value(graph, name);
  if (meta.tensor != nullptr) return value_argument(ValueName::Table::tensors, name);
  if (meta.custom_object != nullptr) return Argument::of<Argument::as_custom_obj>(*meta.custom_object);
  if (meta.sym_int != nullptr) return value_argument(ValueName::Table::sym_ints, name);
  if (meta.sym_float != nullptr) return value_argument(ValueName::Table::sym_floats, name);
  if (meta.sym_bool != nullptr) return value_argument(ValueName::Table::sym_bools, name);
  throw schemagen::DataError("the value " + schemagen::quoted(name) + " is not in any value table",
                             "graph_module.graph");
}

void substitute(const Substitutes& substitutes, Argument& argument) {
  if (!names_any(argument, [&](const std::string& name) { return substitutes.contains(name); })) return;
  if (auto* const dict = argument.get_if<Argument::as_string_to_argument>()) {
    for (auto& entry : *dict) substitute(substitutes, entry.value);
    return;
  }
  const std::string* const name = value_of(argument);
  if (name == nullptr) return substitute_items(substitutes, argument);
  const Argument& found = substitutes.at(*name);
  auto* const optional = argument.get_if<Argument::as_optional_tensor>();
  const auto* const tensor = found.get_if<Argument::as_tensor>();
  if (optional != nullptr && tensor != nullptr) {
    *optional = TensorArgument(*tensor);
  } else {
    argument = Argument(found);
  }
}

void substitute(const Substitutes& substitutes, std::vector<Argument>& arguments) {
  for (Argument& argument : arguments) substitute(substitutes, argument);
}

}  // namespace pt2
