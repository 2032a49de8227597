// Shared by the checks of verify(), one function for each subject.
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

/// Collects findings.
class Findings {
 public:
  void add(RuleId rule, std::string path, std::string message);
  void add(RuleId rule, Severity severity, std::string path, std::string message);

  /// Returns all findings, sorted. Call it once.
  std::vector<Finding> take();

 private:
  std::vector<Finding> findings_;
  std::map<RuleId, std::size_t> counts_;  // including those beyond the limit
};

/// A program during its check, and the findings so far.
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
  /// The definition of a value, or its first use if nothing defines it.
  std::string path_of_value(const Scope& scope, std::uint32_t value) const;
  /// `graph_module.graph.tensor_values.add`
  std::string path_of_entry(const Scope& scope, ValueName::Table table, std::string_view name) const;

 private:
  const ExportedProgram& program_;
  const ProgramIndex& index_;
};

/// A node and its position.
struct NodePlace {
  const Check::Scope& scope;
  std::uint32_t number;  // in its graph
  const Node& node;
  const Operator* op;  // null: unknown
};

/// Returns the id of a RuleSet's rule number `own`.
RuleId own_id(std::size_t own);

/// `path[index]`
std::string at_index(std::string path, std::size_t index);

/// `tensor_values`
const char* table_name(ValueName::Table table);

/// Checks a device. `path` is called only for findings.
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
void check_types(Check& check, const Check::Scope& scope, const OperatorSet& operators);
void check_operator(Check& check, const NodePlace& place);
void check_arguments(Check& check, const NodePlace& place);
void check_modules(Check& check);
void check_texts(Check& check);
void check_code(Findings& findings, const ExportedProgram& program);

}  // namespace pt2
