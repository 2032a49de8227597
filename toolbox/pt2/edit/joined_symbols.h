#pragma once

#include <string>
#include <string_view>

#include "pt2/text/expression.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// Maps a program's symbols to expressions in the program that it is appended to. Not thread-safe.
class JoinedSymbols {
 public:
  explicit JoinedSymbols(const ExportedProgram& first);

  /// Makes the sizes `taken` of the second program equal to the sizes `given` of the first. Error messages
  /// call the value `what`. Throws UsageError if the sizes cannot be equal.
  void connect(const std::vector<SymInt>& given, const std::vector<SymInt>& taken, const std::string& what);

  /// Replaces the mapped symbols in `second`, renames other symbols that clash, and merges the ranges into
  /// the first program's `ranges`. Throws UsageError if two ranges to merge are disjoint.
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
