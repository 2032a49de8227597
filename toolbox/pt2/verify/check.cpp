#include "pt2/verify/check.h"

#include <algorithm>

#include "pt2/graph/walk.h"
#include "schemagen/base/value_path.h"

namespace pt2 {
namespace {

constexpr std::size_t kMostOfARule = 1000;

/// As text, but numbers by value.
bool is_path_less(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto digits = [&](std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && is_digit(text[end])) ++end;
    return text.substr(at, end - at);
  };
  std::size_t at_a = 0;
  std::size_t at_b = 0;
  while (at_a < a.size() && at_b < b.size()) {
    if (is_digit(a[at_a]) && is_digit(b[at_b])) {
      const std::string_view number_a = digits(a, at_a);
      const std::string_view number_b = digits(b, at_b);
      const auto key_a = std::pair(number_a.size(), number_a);
      const auto key_b = std::pair(number_b.size(), number_b);
      if (key_a != key_b) return key_a < key_b;
      at_a += number_a.size();
      at_b += number_b.size();
    } else {
      if (a[at_a] != b[at_b]) return a[at_a] < b[at_b];
      ++at_a;
      ++at_b;
    }
  }
  return a.size() - at_a < b.size() - at_b;
}

bool append_path_to(std::string& path, const Argument& argument, const GraphArgument* wanted) {
  if (const auto* graph = argument.get_if<Argument::as_graph>()) {
    if (graph != wanted) return false;
    path += ".as_graph.graph";
    return true;
  }
  const auto* const dict = argument.get_if<Argument::as_string_to_argument>();
  if (dict == nullptr) return false;
  const std::size_t size = path.size();
  for (const auto& [key, item] : *dict) {
    path += ".as_string_to_argument";
    schemagen::append_key(path, key);
    if (append_path_to(path, item, wanted)) return true;
    path.resize(size);
  }
  return false;
}

bool names_value(const Argument& argument, std::string_view wanted) {
  bool has = false;
  for_each_slot(argument, [&](const std::string* name, ValueName::Table) {
    has = has || (name != nullptr && *name == wanted);
  });
  return has;
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
  const Scope& parent = index_.scopes()[scope.parent];
  const std::vector<NamedArgument>& inputs = parent.index.graph().nodes[scope.node].inputs;
  for (std::uint32_t input = 0; input < inputs.size(); ++input) {
    std::string path = path_of_input(parent, scope.node, input);
    if (append_path_to(path, inputs[input].arg, scope.argument)) return path;
  }
  return path_of(parent, scope.node);
}

std::string Check::path_of(const Scope& scope, std::uint32_t node) const {
  return at_index(path_of(scope) + ".nodes", node);
}

std::string Check::path_of_input(const Scope& scope, std::uint32_t node, std::uint32_t input) const {
  return at_index(path_of(scope, node) + ".inputs", input) + ".arg";
}

std::string Check::path_of_value(const Scope& scope, std::uint32_t value) const {
  const GraphIndex& index = scope.index;
  const bool is_first = !index.is_repeated(value);
  const auto place = [&](std::string path, const std::vector<Argument>& arguments) {
    std::size_t found = arguments.size();
    for (std::size_t i = 0; i < arguments.size() && (found == arguments.size() || !is_first); ++i) {
      if (names_value(arguments[i], index.name(value))) found = i;
    }
    return at_index(std::move(path), found);
  };
  if (index.is_input(value)) return place(path_of(scope) + ".inputs", index.graph().inputs);
  const std::uint32_t node = index.defining_node(value);
  if (node != GraphIndex::kNone) {
    return place(path_of(scope, node) + ".outputs", index.graph().nodes[node].outputs);
  }
  const GraphIndex::User user = index.users(value)[0];
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
  switch (table) {
    case ValueName::Table::tensors:
      return "tensor_values";
    case ValueName::Table::sym_ints:
      return "sym_int_values";
    case ValueName::Table::sym_floats:
      return "sym_float_values";
    case ValueName::Table::sym_bools:
      return "sym_bool_values";
    case ValueName::Table::custom_objects:
      break;
  }
  return "custom_obj_values";
}

}  // namespace pt2
