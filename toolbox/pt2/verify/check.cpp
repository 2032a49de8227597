#include "pt2/verify/check.h"

#include <algorithm>

#include "schemagen/base/value_path.h"

namespace pt2 {
namespace {

/// As text, but numbers by value.
bool is_path_less(std::string_view a, std::string_view b) {
  constexpr std::string_view kDigits = "0123456789";
  std::size_t same = 0;
  while (same < a.size() && same < b.size() && a[same] == b[same]) ++same;
  const std::size_t begin = a.substr(0, same).find_last_not_of(kDigits) + 1;
  const std::string_view left = a.substr(begin, a.find_first_not_of(kDigits, begin) - begin);
  const std::string_view right = b.substr(begin, b.find_first_not_of(kDigits, begin) - begin);
  if (!left.empty() && !right.empty() && left != right) {
    return std::pair(left.size(), left) < std::pair(right.size(), right);
  }
  return same < a.size() && same < b.size() ? a[same] < b[same] : a.size() < b.size();
}

}  // namespace

void Findings::add(RuleId rule, std::string path, std::string message) {
  add(rule, rule_of(rule).severity, std::move(path), std::move(message));
}

void Findings::add(RuleId rule, Severity severity, std::string path, std::string message) {
  if (counts_[rule]++ >= kMostOfARule) return;
  findings_.push_back({rule, severity, std::move(path), std::move(message)});
}

std::vector<Finding> Findings::take() {
  std::stable_sort(findings_.begin(), findings_.end(), [](const Finding& a, const Finding& b) {
    if (a.path != b.path) return is_path_less(a.path, b.path);
    return a.rule < b.rule;
  });
  return std::move(findings_);
}

std::string Check::path_of(const Scope& scope) const {
  if (scope.argument == nullptr) return "graph_module.graph";
  const Scope& parent = index.scopes()[scope.parent];
  std::string path = path_of_input(parent, scope.node, scope.input);
  const Argument* argument = &parent.index.graph().nodes[scope.node].inputs[scope.input].arg;
  for (const std::uint32_t number : scope.entries) {
    const auto& entry = argument->get<Argument::as_string_to_argument>().begin()[number];
    path += ".as_string_to_argument";
    schemagen::append_key(path, entry.key());
    argument = &entry.value;
  }
  return path + ".as_graph.graph";
}

std::string Check::path_of(const Scope& scope, std::uint32_t node) const {
  return at_index(path_of(scope) + ".nodes", node);
}

std::string Check::path_of_input(const Scope& scope, std::uint32_t node, std::uint32_t input) const {
  return at_index(path_of(scope, node) + ".inputs", input) + ".arg";
}

std::string Check::path_of_value(const Scope& scope, std::uint32_t value) const {
  const GraphIndex& graph = scope.index;
  if (graph.is_defined(value)) {
    return at_index(graph.is_input(value) ? path_of(scope) + ".inputs"
                                          : path_of(scope, graph.defining_node(value)) + ".outputs",
                    graph.defining_output(value));
  }
  const GraphIndex::User user = graph.users(value)[0];
  return user.node == GraphIndex::kNone ? at_index(path_of(scope) + ".outputs", user.input)
                                        : path_of_input(scope, user.node, user.input);
}

std::string Check::path_of_entry(const Scope& scope, ValueName::Table table, std::string_view name) const {
  std::string path = path_of(scope) + "." + table_name(table);
  schemagen::append_key(path, name);
  return path;
}

std::string at_index(std::string path, std::size_t index) {
  schemagen::append_index(path, index);
  return path;
}

const char* table_name(ValueName::Table table) {
  constexpr const char* kNames[] = {"tensor_values", "sym_int_values", "sym_float_values", "sym_bool_values",
                                    "custom_obj_values"};
  return kNames[static_cast<std::size_t>(table)];
}

}  // namespace pt2
