#pragma once

#include <cstdint>
#include <set>
#include <utility>

#include "pt2/graph/walk.h"
#include "pt2/text/type_names.h"
#include "pt2/verify/verify.h"
#include "schemagen/base/quote.h"

namespace pt2 {

/// Further findings of a rule are dropped.
constexpr std::size_t kMostOfARule = 1000;

class Findings {
 public:
  void add(RuleId rule, std::string path, std::string message);
  void add(RuleId rule, Severity severity, std::string path, std::string message);

  /// Returns the findings, sorted. Call this function only once.
  std::vector<Finding> take();

 private:
  std::vector<Finding> findings_;
  std::map<RuleId, std::size_t> counts_;
};

class Check : public Findings {
 public:
  using Scope = ProgramIndex::Scope;

  Check(const ExportedProgram& checked, const ProgramIndex& its_index) : program(checked), index(its_index) {}

  // Paths take time: make them only for findings.

  std::string path_of(const Scope& scope) const;
  std::string path_of(const Scope& scope, std::uint32_t node) const;
  std::string path_of_input(const Scope& scope, std::uint32_t node, std::uint32_t input) const;
  /// Returns the path of the value's definition, or of its first use without one.
  std::string path_of_value(const Scope& scope, std::uint32_t value) const;
  std::string path_of_entry(const Scope& scope, ValueName::Table table, std::string_view name) const;

  const ExportedProgram& program;
  const ProgramIndex& index;
};

/// A node to check.
struct NodePlace {
  Check& check;
  const Check::Scope& scope;
  std::uint32_t number;
  const Node& node;
  const Operator* op;

  std::string path_of_input(std::uint32_t input) const { return check.path_of_input(scope, number, input); }
  void add(RuleId rule, std::uint32_t input, std::string message) const {
    check.add(rule, path_of_input(input), std::move(message));
  }
  /// Adds a finding about the node's member, e.g. `.outputs`.
  void add(RuleId rule, const std::string& member, std::string message) const {
    check.add(rule, check.path_of(scope, number) + member, std::move(message));
  }
};

using NameSet = std::set<std::string_view>;

std::string at_index(std::string path, std::size_t index);

const char* table_name(ValueName::Table table);

/// Calls `report(rule, member, message)` for at most one fault.
template <class Report>
void report_device(const Device& device, const Report& report) {
  if (!is_device_type(device.type)) {
    report(RuleId::meta_device, ".type", "torch has no device type " + schemagen::quoted(device.type));
  } else if (device.index && (*device.index < 0 || *device.index > 127)) {
    // c10::Device stores the index in 8 bits.
    report(RuleId::meta_device_index, ".index",
           "expected an index from 0 to 127, found " + std::to_string(*device.index));
  }
}

/// Empty if `value` is known.
template <class Enum>
std::string unknown_number(Enum value) {
  if (value != Enum{} && !name_of(value).empty()) return "";
  return std::to_string(static_cast<std::int64_t>(value));
}

/// `path` returns the path of an argument of a graph or node.
template <class Path>
void check_argument(Check& check, const Argument& argument, const Path& path) {
  if (argument.kind() == Argument::unset)
    check.add(RuleId::member_missing, path(), "no member of the argument is set");
  for_each_name(argument, [&](const std::string& name, ValueName::Table table) {
    if (!name.empty()) return;
    check.add(RuleId::name_empty, path(),
              std::string("a value that belongs in ") + table_name(table) + " has no name");
  });
}

void check_names(Check& check, const Check::Scope& scope);
void check_values(Check& check, const Check::Scope& scope);
void check_metas(Check& check, const Check::Scope& scope);
void check_signature(Check& check);
void check_symbols(Check& check);
void check_verifiers(Check& check);
void check_scope(Check& check, const Check::Scope& scope);
void check_subgraphs(const NodePlace& place);
bool has_several_devices(const Graph& graph);
/// Checks calls of known operators. `stale` are the values whose declared dtypes differ from what operators
/// return, and what is computed from them.
void check_operands(const NodePlace& place, bool several_devices, bool is_in_autocast, const NameSet& stale);
void check_types(Check& check, const Check::Scope& scope, const OperatorSet& operators);
void check_operator(const NodePlace& place);
void check_arguments(const NodePlace& place);
void check_modules(Check& check);
void check_texts(Check& check);
void check_code(Findings& findings, const ExportedProgram& program);

/// Returns the findings of the rules that scan_file() shares (FoundBy::both): strings that torch pastes into
/// source code, evaluates or resolves, and that are not known to be harmless there. The findings have the
/// same order as those of verify(). Searches arguments and graphs even where a valid program has none.
std::vector<Finding> find_code(const ExportedProgram& program);

}  // namespace pt2
