// The symbols of a program in another one. Each thread needs its own.
#pragma once

#include <string>
#include <string_view>

#include "pt2/text/expression.h"
#include "pt2/types.h"
#include "schemagen/base/map.h"

namespace pt2 {

/// What the symbols of a second program are, where it is put behind a first one.
class JoinedSymbols {
 public:
  explicit JoinedSymbols(const ExportedProgram& first);

  /// Has the sizes of what the second takes be those of what it is given; `what` is it for people. Errors:
  /// UsageError if they cannot be.
  void connect(const std::vector<SymInt>& given, const std::vector<SymInt>& taken, const std::string& what);

  /// Changes the expressions and ranges of `second`: to what its symbols are, or else to names that the first
  /// does not have. Adds its ranges to those of the first, `ranges`. Errors: UsageError if no number is in
  /// both.
  void apply(ExportedProgram& second, schemagen::Map<RangeConstraint>& ranges);

 private:
  bool fit(const Expression& given, const Expression& taken);
  Expression replaced(Expression expression);
  const Expression& of(std::string_view symbol);
  void replace(SymExpr& expression);
  void add_range(const std::string& symbol, const RangeConstraint& range,
                 schemagen::Map<RangeConstraint>& ranges);

  schemagen::Map<bool> taken_names_;
  schemagen::Map<Expression> known_;  // what the second's symbols are
};

}  // namespace pt2
