// What the rules of verify() share, a function for each subject: an inner part of verify.h.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pt2/graph/index.h"
#include "pt2/operators/operators.h"
#include "pt2/types.h"
#include "pt2/verify/verify.h"
#include "schemagen/base/quote.h"

namespace pt2 {

/// What was found so far.
class Findings {
 public:
  void add(RuleId rule, std::string path, std::string message);
  void add(RuleId rule, Severity severity, std::string path, std::string message);

  /// All of them, sorted. Ends the use of this object.
  std::vector<Finding> take();

 private:
  std::vector<Finding> findings_;
  std::map<RuleId, std::size_t> counts_;  // those that are left out included
};

/// The program that is checked, and what was found in it.
class Check : public Findings {
 public:
  using Scope = ProgramIndex::Scope;

  Check(const ExportedProgram& program, const ProgramIndex& index) : program_(program), index_(index) {}

  const ExportedProgram& program() const { return program_; }
  const ProgramIndex& index() const { return index_; }

  // ---- Paths, which take time: only to be made for findings ----

  /// `graph_module.graph`
  std::string path_of(const Scope& scope) const;
  /// `graph_module.graph.nodes[3]`
  std::string path_of(const Scope& scope, std::uint32_t node) const;
  /// `graph_module.graph.nodes[3].inputs[0].arg`
  std::string path_of_input(const Scope& scope, std::uint32_t node, std::uint32_t input) const;
  /// Where a value is defined, or first used if nothing defines it.
  std::string path_of_value(const Scope& scope, std::uint32_t value) const;
  /// `graph_module.graph.tensor_values.add`
  std::string path_of_entry(const Scope& scope, ValueName::Table table, std::string_view name) const;

 private:
  const ExportedProgram& program_;
  const ProgramIndex& index_;
};

/// A node in its place.
struct NodePlace {
  const Check::Scope& scope;
  std::uint32_t number;  // in its graph
  const Node& node;
  const Operator* op;  // null: nothing is known of it
};

/// The id of rule number `own` of a RuleSet's own.
RuleId own_id(std::size_t own);

/// `path[index]`
std::string at_index(std::string path, std::size_t index);

/// `tensor_values`
const char* table_name(ValueName::Table table);

/// What a device is said to be; `path` is called for its path.
void check_device(Check& check, const Device& device, const std::function<std::string()>& path);

void check_names(Check& check);
void check_values(Check& check);
void check_metas(Check& check);
void check_signature(Check& check);
void check_symbols(Check& check);
void check_verifiers(Check& check);
void check_scope(Check& check, const Check::Scope& scope);
void check_subgraphs(Check& check, const NodePlace& place);
void check_operands(Check& check, const Check::Scope& scope, const OperatorSet& operators);
void check_operator(Check& check, const NodePlace& place);
void check_arguments(Check& check, const NodePlace& place);
void check_modules(Check& check);
void check_texts(Check& check);
void check_code(Findings& findings, const ExportedProgram& program);

}  // namespace pt2
