// The symbols of a program that is appended to another. Not thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "pt2/text/expression.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// Maps the symbols of the second program to expressions of the first.
class JoinedSymbols {
 public:
  explicit JoinedSymbols(const ExportedProgram& first);

  /// Equates the sizes that the second program takes with those that it is given; `what` describes the value
  /// in errors. Throws UsageError if they cannot be equal.
  void connect(const std::vector<SymInt>& given, const std::vector<SymInt>& taken, const std::string& what);

  /// Applies the mapping to `second`, and renames the remaining symbols that clash. Merges its ranges into
  /// `ranges`, those of the first program. Throws UsageError if two ranges are disjoint.
  void apply(ExportedProgram& second, schemagen::Map<RangeConstraint>& ranges);

 private:
  bool fit(const Expression& given, const Expression& taken);
  Expression replaced(Expression expression);
  const Expression& of(std::string_view symbol);
  void replace(SymExpr& expression);
  void add_range(const std::string& symbol, const RangeConstraint& range,
                 schemagen::Map<RangeConstraint>& ranges);

  schemagen::Map<bool> taken_names_;
  schemagen::Map<Expression> known_;  // values of the second program's symbols
};

}  // namespace pt2
