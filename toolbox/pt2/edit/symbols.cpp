#include "pt2/edit/symbols.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pt2/graph/walk.h"
#include "pt2/strings/expression_value.h"
#include "pt2/text/symbolic_text.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

Expression integer(std::int64_t value) {
  Expression digits;
  digits.kind = Expression::Kind::number;
  digits.text = std::to_string(value);
  Expression call;
  call.kind = Expression::Kind::call;
  call.text = "Integer";
  call.operands.push_back(std::move(digits));
  return call;
}

Expression expression_of(const SymInt& size) {
  if (const std::int64_t* const number = size.get_if<SymInt::as_int>()) return integer(*number);
  return parse_expression(size.get<SymInt::as_expr>().expr_str);
}

std::optional<std::int64_t> number_of(const Expression& expression) {
  bool has_symbols = false;
  for_each_symbol(expression, [&](std::string_view) { has_symbols = true; });
  if (has_symbols) return std::nullopt;
  const ExpressionValue value = evaluate(expression, {});
  return value.kind == ExpressionValue::Kind::integer ? std::optional(value.numerator) : std::nullopt;
}

bool are_equal(const Expression& a, const Expression& b) {
  const auto sum = [](const Expression& expression) {
    SymInt size;
    size.emplace<SymInt::as_expr>().expr_str = srepr(expression);
    return Polynomial(size, {});
  };
  return srepr(a) == srepr(b) || sum(a) == sum(b);
}

}  // namespace

schemagen::Map<bool> symbols_of(const ExportedProgram& program) {
  schemagen::Map<bool> symbols;
  const auto take = [&](std::string_view symbol) { symbols.try_emplace(std::string(symbol)); };
  for_each_graph(program.graph_module.graph, [&](const Graph& graph) {
    for_each_table(graph, [&](const auto& table, ValueName::Table) {
      for (const auto& [name, entry] : table) {
        for_each_expression(entry,
                            [&](const std::string& text) { SymbolicText(text).for_each_symbol(take); });
      }
    });
  });
  for (const auto& [text, range] : program.range_constraints) SymbolicText(text).for_each_symbol(take);
  return symbols;
}

void require_in_range(const ExportedProgram& program, const std::string& symbol, std::int64_t value) {
  const RangeConstraint* const range = program.range_constraints.find(symbol);
  if (range == nullptr) return;
  const std::int64_t least = range->min_val.value_or(std::numeric_limits<std::int64_t>::min());
  const std::int64_t most = range->max_val.value_or(std::numeric_limits<std::int64_t>::max());
  if (value >= least && value <= most) return;
  const std::string expected = range->min_val && range->max_val
                                   ? "from " + std::to_string(least) + " to " + std::to_string(most)
                               : range->min_val ? "of at least " + std::to_string(least)
                                                : "of at most " + std::to_string(most);
  throw schemagen::UsageError(schemagen::printable(symbol) + ": expected a value " + expected + ", got " +
                              std::to_string(value));
}

void require_symbols(const ExportedProgram& program, const Bindings& bindings) {
  if (bindings.empty()) return;
  std::vector<std::string> symbols;
  for (const auto& [symbol, unused] : symbols_of(program)) symbols.push_back(symbol);
  std::sort(symbols.begin(), symbols.end());
  std::string known;
  for (const std::string& symbol : symbols) known += (known.empty() ? "its symbols are " : ", ") + symbol;
  for (const auto& [symbol, value] : bindings) {
    if (std::binary_search(symbols.begin(), symbols.end(), symbol)) {
      require_in_range(program, symbol, value);
      continue;
    }
    throw schemagen::UsageError("the program has no symbol " + schemagen::quoted(symbol) + ": " +
                                (known.empty() ? "it has none" : schemagen::printable(known)));
  }
}

std::string take_symbol(std::string_view wanted, schemagen::Map<bool>& taken) {
  const std::string letters(wanted.substr(0, wanted.find_last_not_of("0123456789") + 1));
  std::string name(wanted);
  for (std::size_t number = 0; !taken.try_emplace(name).second; ++number) {
    name = letters + std::to_string(number);
  }
  return name;
}

JoinedSymbols::JoinedSymbols(const ExportedProgram& first) : taken_names_(symbols_of(first)) {}

void JoinedSymbols::connect(const std::vector<SymInt>& given, const std::vector<SymInt>& taken,
                            const std::string& what) {
  // Single symbols first, because they help to solve larger expressions.
  for (const bool are_symbols : {true, false}) {
    for (std::size_t i = 0; i < taken.size(); ++i) {
      const Expression expected = expression_of(taken[i]);
      if (expected.symbol().empty() == are_symbols) continue;
      const Expression found = expression_of(given[i]);
      if (fit(found, expected)) continue;
      throw schemagen::UsageError("cannot join: size of " + what + ": expected " + expression_text(expected) +
                                  ", got " + expression_text(found));
    }
  }
}

bool JoinedSymbols::fit(const Expression& given, const Expression& taken) {
  if (!taken.symbol().empty()) {
    const auto [known, is_new] = known_.try_emplace(std::string(taken.symbol()));
    if (is_new) *known = given;
    return is_new || are_equal(*known, given);
  }
  bool is_known = true;
  for_each_symbol(taken, [&](std::string_view symbol) { is_known = is_known && known_.contains(symbol); });
  if (is_known && taken.kind == Expression::Kind::call) {
    const Expression expected = replaced(taken);
    const std::optional<std::int64_t> a = number_of(given);
    const std::optional<std::int64_t> b = number_of(expected);
    return a && b ? *a == *b : are_equal(given, expected);
  }
  return given.kind == taken.kind && given.text == taken.text && given.keyword == taken.keyword &&
         std::equal(given.operands.begin(), given.operands.end(), taken.operands.begin(),
                    taken.operands.end(),
                    [&](const Expression& a, const Expression& b) { return fit(a, b); });
}

const Expression& JoinedSymbols::of(std::string_view symbol) {
  const auto [known, is_new] = known_.try_emplace(std::string(symbol));
  if (!is_new) return *known;
  known->kind = Expression::Kind::call;
  known->text = "Symbol";
  known->operands.resize(1);
  known->operands[0].kind = Expression::Kind::string;
  known->operands[0].text = take_symbol(symbol, taken_names_);
  return *known;
}

Expression JoinedSymbols::replaced(Expression expression) {
  if (expression.symbol().empty()) {
    for (Expression& operand : expression.operands) operand = replaced(std::move(operand));
    return expression;
  }
  const Expression& known = of(expression.symbol());
  if (known.symbol().empty()) return known;
  expression.operands[0].text = std::string(known.symbol());
  return expression;
}

void JoinedSymbols::replace(std::string& expression) {
  const SymbolicText text(expression);
  bool are_symbols = true;
  text.for_each_symbol(
      [&](std::string_view symbol) { are_symbols = are_symbols && !of(symbol).symbol().empty(); });
  expression = are_symbols
                   ? text.text([&](std::string_view symbol) { return std::string(of(symbol).symbol()); })
                   : srepr(replaced(parse_expression(expression)));
}

void JoinedSymbols::apply(ExportedProgram& second, schemagen::Map<RangeConstraint>& ranges) {
  const auto fold = [](SymInt& size) {
    const SymExpr* const expression = size.get_if<SymInt::as_expr>();
    if (expression == nullptr) return;
    const std::optional<std::int64_t> number = number_of(parse_expression(expression->expr_str));
    if (number) size.emplace<SymInt::as_int>(*number);
  };
  for_each_graph(second.graph_module.graph, [&](Graph& graph) {
    for_each_table(graph, [&](auto& table, ValueName::Table) {
      for (auto& [name, entry] : table) {
        for_each_expression(entry, [&](std::string& text) { replace(text); });
      }
    });
    for (auto& [name, meta] : graph.tensor_values) {
      for (SymInt& size : meta.sizes) fold(size);
      for (SymInt& stride : meta.strides) fold(stride);
      fold(meta.storage_offset);
    }
  });
  for (const auto& [text, range] : second.range_constraints) {
    if (SymbolicText(text).only_symbol().empty() && text.find_first_of(" (*+-/") != text.npos) continue;
    add_range(text, range, ranges);
  }
}

void JoinedSymbols::add_range(const std::string& symbol, const RangeConstraint& range,
                              schemagen::Map<RangeConstraint>& ranges) {
  const Expression& known = of(symbol);
  if (const std::optional<std::int64_t> number = number_of(known)) {
    if ((range.min_val && *number < *range.min_val) || (range.max_val && *number > *range.max_val)) {
      throw schemagen::UsageError("cannot join: size " + std::to_string(*number) +
                                  " is outside the range of " + schemagen::quoted(symbol));
    }
    return;
  }
  if (known.symbol().empty()) return;
  const auto [joined, is_new] = ranges.try_emplace(std::string(known.symbol()));
  if (is_new) {
    *joined = range;
    return;
  }
  if (range.min_val) joined->min_val = std::max(joined->min_val.value_or(*range.min_val), *range.min_val);
  if (range.max_val) joined->max_val = std::min(joined->max_val.value_or(*range.max_val), *range.max_val);
  if (joined->min_val && joined->max_val && *joined->min_val > *joined->max_val) {
    throw schemagen::UsageError("cannot join: the programs' ranges for " + schemagen::quoted(known.symbol()) +
                                " do not overlap");
  }
}

}  // namespace pt2
