#pragma once

#include <string>
#include <string_view>

#include "pt2/text/expression.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// Maps symbols of a program to expressions of the program that it is appended to. Not thread-safe.
class JoinedSymbols {
 public:
  explicit JoinedSymbols(const ExportedProgram& first);

  /// `what` describes the value in errors. Throws UsageError if the sizes cannot be equal.
  void connect(const std::vector<SymInt>& given, const std::vector<SymInt>& taken, const std::string& what);

  /// Maps the symbols in `second`, renames other ones that clash, and merges ranges into the first
  /// program's. Throws UsageError if ranges are disjoint.
  void apply(ExportedProgram& second, schemagen::Map<RangeConstraint>& ranges);

 private:
  bool fit(const Expression& given, const Expression& taken);
  Expression replaced(Expression expression);
  const Expression& of(std::string_view symbol);
  void replace(SymExpr& expression);
  void add_range(const std::string& symbol, const RangeConstraint& range,
                 schemagen::Map<RangeConstraint>& ranges);

  schemagen::Map<bool> taken_names_;
  schemagen::Map<Expression> known_;
};

}  // namespace pt2
