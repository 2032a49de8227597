#include "pt2/edit/symbols.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <set>

#include "pt2/graph/index.h"
#include "pt2/graph/signature.h"
#include "pt2/infer/infer.h"
#include "pt2/text/affix.h"
#include "pt2/text/join.h"
#include "pt2/text/symbolic_text.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

Expression expression_of(const SymInt& size) {
  const std::int64_t* const number = size.get_if<SymInt::as_int>();
  return parse_expression(number == nullptr ? size.get<SymInt::as_expr>().expr_str : std::to_string(*number));
}

using SymbolSet = std::set<std::string, std::less<>>;

SymbolSet symbols_in(const Expression& expression) {
  SymbolSet symbols;
  for_each_symbol(expression, [&](std::string_view symbol) { symbols.emplace(symbol); });
  return symbols;
}

std::optional<std::int64_t> number_of(const Expression& expression) {
  if (!symbols_in(expression).empty()) return std::nullopt;
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

template <class Program, class Visit>
void for_each_table_expression(Program& program, const Visit& visit) {
  for_each_graph(program.graph_module.graph, [&](auto& graph) {
    for_each_table(graph, [&](auto& table, ValueName::Table) {
      for (auto& entry : table) for_each_expression(entry.value, visit);
    });
  });
}

bool has_all(const SymbolSet& all, const SymbolSet& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

bool share_any(const SymbolSet& a, const SymbolSet& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& symbol) { return b.count(symbol) != 0; });
}

Expression expression_of(const Size& size) {
  return parse_expression(size.srepr());
}

struct Bounds {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
};

/// A function whose least and greatest values are at the ends of its operands' ranges.
struct BoundedFunction {
  std::string_view name;
  double (*apply)(double a, double b);
};
constexpr BoundedFunction kBoundedFunctions[] = {
    {"Add", [](double a, double b) { return a + b; }},
    {"Mul", [](double a, double b) { return a * b; }},
    {"Max", [](double a, double b) { return std::max(a, b); }},
    {"Min", [](double a, double b) { return std::min(a, b); }},
    {"FloorDiv", [](double a, double b) { return std::floor(a / b); }},  // of a positive divisor
};

/// 0 times infinity is 0 here.
Bounds at_ends(const Bounds& a, const Bounds& b, const BoundedFunction& function) {
  double ends[] = {function.apply(a.min, b.min), function.apply(a.min, b.max), function.apply(a.max, b.min),
                   function.apply(a.max, b.max)};
  for (double& end : ends) end = std::isnan(end) ? 0 : end;
  return {*std::min_element(std::begin(ends), std::end(ends)),
          *std::max_element(std::begin(ends), std::end(ends))};
}

Bounds bounds_of(const Expression& expression, const schemagen::Map<RangeConstraint>& ranges) {
  Bounds bounds;
  if (const std::string* const digits = expression.integer()) {
    bounds.min = bounds.max = std::strtod(digits->c_str(), nullptr);
    return bounds;
  }
  if (!expression.symbol().empty()) {
    const RangeConstraint* const range = ranges.find(expression.symbol());
    if (range != nullptr && range->min_val) bounds.min = static_cast<double>(*range->min_val);
    if (range != nullptr && range->max_val) bounds.max = static_cast<double>(*range->max_val);
    return bounds;
  }
  const auto* const function =
      std::find_if(std::begin(kBoundedFunctions), std::end(kBoundedFunctions),
                   [&](const BoundedFunction& each) { return expression.is_call(each.name); });
  const std::size_t count = expression.operands.size();
  const bool divides = expression.is_call("FloorDiv");
  if (function == std::end(kBoundedFunctions) || count == 0 || (divides && count != 2)) return bounds;
  Bounds result = bounds_of(expression.operands.front(), ranges);
  for (std::size_t i = 1; i < count; ++i) {
    const Bounds operand = bounds_of(expression.operands[i], ranges);
    if (divides && operand.min <= 0) return bounds;
    result = at_ends(result, operand, *function);
  }
  return result;
}

RangeConstraint range_of_size(const Bounds& bounds) {
  constexpr double kExact = 1e15;  // doubles represent all integers up to here
  RangeConstraint range;
  range.min_val = bounds.min > 0 && bounds.min < kExact ? static_cast<std::int64_t>(bounds.min) : 0;
  if (bounds.max >= 0 && bounds.max < kExact) range.max_val = static_cast<std::int64_t>(bounds.max);
  return range;
}

struct Term {
  std::int64_t number = 0;
  Expression atom;
};

std::optional<Term> term_of(const Expression& expression) {
  if (expression.is_call("Mul") && expression.operands.size() == 2) {
    const auto number = Size::of(expression.operands[0]).number();
    if (number) return Term{*number, expression.operands[1]};
  } else if (!expression.is_call("Mul")) {
    return Term{1, expression};
  }
  return std::nullopt;
}

class NewSymbol {
 public:
  NewSymbol(Size size, const Expression& symbol, const SymbolSet& known)
      : size_(std::move(size)), symbols_(symbols_in(expression_of(size_))), symbol_(Size::of(symbol)) {
    solve(known);
  }

  Expression replaced(const Expression& expression) const {
    const SymbolSet symbols = symbols_in(expression);
    return share_any(symbols, symbols_) ? expression_of(of(expression)) : expression;
  }

 private:
  /// If only one term has its symbols, solves for it: `s//2 + 1` is `u`, so `s//2` is `u - 1`.
  void solve(const SymbolSet& known) {
    const Expression sum = expression_of(size_);
    const std::vector<Expression> terms = sum.is_call("Add") ? sum.operands : std::vector<Expression>{sum};
    for (const Expression& term : terms) {
      const std::optional<Term> parts = term_of(term);
      const SymbolSet symbols = symbols_in(term);
      if (!parts || parts->atom.is_call("Pow") || has_all(known, symbols)) continue;
      const auto is_apart = [&](const Expression& other) {
        return &other == &term || !share_any(symbols_in(other), symbols);
      };
      if (!std::all_of(terms.begin(), terms.end(), is_apart)) continue;
      const Size rest = size_ - Size::of(term);
      atom_ = srepr(parts->atom);
      value_ = parts->number < 0 ? floor_div(rest - symbol_, Size(-parts->number))
                                 : floor_div(symbol_ - rest, Size(parts->number));
      return;
    }
  }

  Size of(const Expression& expression) const {
    Size size = Size::of(expression);
    if (const std::optional<Size> times = quotient(size, size_)) return *times * symbol_;
    const Expression sum = expression_of(size);
    const bool is_sum = sum.is_call("Add");
    if (is_sum || sum.is_call("Mul")) {
      Size result(is_sum ? 0 : 1);
      for (const Expression& operand : sum.operands) {
        result = is_sum ? result + of(operand) : result * of(operand);
      }
      return result;
    }
    if (srepr(sum) == atom_) return value_;
    if (!sum.symbol().empty() || sum.kind != Expression::Kind::call) return size;
    Expression call = sum;
    for (Expression& operand : call.operands) operand = replaced(operand);
    return Size::of(call);
  }

  Size size_;
  SymbolSet symbols_;
  Size symbol_;
  std::string atom_;
  Size value_;
};

/// Returns the expression that replaces a symbol of the second program.
const Expression& joined_symbol(JoinedSymbols& symbols, std::string_view symbol) {
  const auto [known, is_new] = symbols.known.try_emplace(std::string(symbol));
  if (!is_new) return *known;
  known->kind = Expression::Kind::call;
  known->text = "Symbol";
  known->operands.resize(1);
  known->operands[0].kind = Expression::Kind::string;
  const std::string_view letters = symbol.substr(0, symbol.find_last_not_of("0123456789") + 1);
  known->operands[0].text = free_name(std::string(symbol), std::string(letters), 0, symbols.taken);
  return *known;
}

Expression joined_size(JoinedSymbols& symbols, Expression size) {
  if (size.symbol().empty()) {
    for (Expression& operand : size.operands) operand = joined_size(symbols, std::move(operand));
    return size;
  }
  const Expression& known = joined_symbol(symbols, size.symbol());
  if (known.symbol().empty()) return known;
  size.operands[0].text = std::string(known.symbol());
  return size;
}

bool fit_size(JoinedSymbols& symbols, const Expression& given, const Expression& taken) {
  if (!taken.symbol().empty()) {
    const auto [known, is_new] = symbols.known.try_emplace(std::string(taken.symbol()));
    if (is_new) *known = given;
    return is_new || are_equal(*known, given);
  }
  const SymbolSet all = symbols_in(taken);
  const bool is_known = std::all_of(
      all.begin(), all.end(), [&](const std::string& symbol) { return symbols.known.contains(symbol); });
  if (is_known && taken.kind == Expression::Kind::call) {
    const Expression expected = joined_size(symbols, taken);
    const std::optional<std::int64_t> a = number_of(given);
    const std::optional<std::int64_t> b = number_of(expected);
    return a && b ? *a == *b : are_equal(given, expected);
  }
  return given.kind == taken.kind && given.text == taken.text && given.keyword == taken.keyword &&
         std::equal(given.operands.begin(), given.operands.end(), taken.operands.begin(),
                    taken.operands.end(),
                    [&](const Expression& a, const Expression& b) { return fit_size(symbols, a, b); });
}

void replace_joined(JoinedSymbols& symbols, std::string& expression) {
  const SymbolicText text(expression);
  bool are_symbols = true;
  text.for_each_symbol([&](std::string_view symbol) {
    are_symbols = are_symbols && !joined_symbol(symbols, symbol).symbol().empty();
  });
  const auto name = [&](std::string_view symbol) {
    return std::string(joined_symbol(symbols, symbol).symbol());
  };
  expression = are_symbols ? text.text(name) : srepr(joined_size(symbols, parse_expression(expression)));
}

void join_range(const Expression& known, const std::string& symbol, const RangeConstraint& range,
                schemagen::Map<RangeConstraint>& ranges) {
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

/// Returns the sizes of inputs, and whether the input is also one of the whole program.
std::vector<std::pair<const SymInt*, bool>> given_sizes(const ExportedProgram& part,
                                                        const GraphSignature& whole) {
  SymbolSet own_inputs;
  for (const UserValue& user : ExportGraphSignature(whole).user_inputs()) own_inputs.insert(user.name);
  std::vector<std::pair<const SymInt*, bool>> sizes;
  for (const UserValue& user : ExportGraphSignature(part.graph_module.signature).user_inputs()) {
    const bool is_own = own_inputs.count(user.name) != 0;
    const ValueMeta meta = find_value(part.graph_module.graph, user.name);
    if (meta.sym_int != nullptr) sizes.emplace_back(meta.sym_int, is_own);
    for (std::size_t i = 0; meta.tensor != nullptr && i < meta.tensor->sizes.size(); ++i)
      sizes.emplace_back(&meta.tensor->sizes[i], is_own);
  }
  return sizes;
}

std::string replaced_text(const std::string& text, const NewSymbol& symbol) {
  try {
    const Expression expression = parse_expression(text);
    const std::string before = srepr(expression);
    const std::string after = srepr(symbol.replaced(expression));
    return before == after ? text : after;
  } catch (const schemagen::DataError&) {
    return text;
  }
}

void replace_sizes(ExportedProgram& part, const NewSymbol& symbol) {
  schemagen::Map<std::string> texts;
  for_each_table_expression(part, [&](std::string& text) {
    const auto [replaced, is_new] = texts.try_emplace(text);
    if (is_new) *replaced = replaced_text(text, symbol);
    text = *replaced;
  });
}

}  // namespace

schemagen::Map<bool> symbols_of(const ExportedProgram& program) {
  schemagen::Map<bool> symbols;
  const auto take = [&](std::string_view symbol) { symbols.try_emplace(std::string(symbol)); };
  for_each_table_expression(program,
                            [&](const std::string& text) { SymbolicText(text).for_each_symbol(take); });
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
  for (const auto& [symbol, value] : bindings) {
    if (std::binary_search(symbols.begin(), symbols.end(), symbol)) {
      require_in_range(program, symbol, value);
      continue;
    }
    const std::string known = "its symbols are " + join_texts(symbols, ", ");
    throw schemagen::UsageError("the program has no symbol " + schemagen::quoted(symbol) + ": " +
                                (symbols.empty() ? "it has none" : schemagen::printable(known)));
  }
}

std::string free_name(std::string name, const std::string& prefix, std::size_t number,
                      schemagen::Map<bool>& taken) {
  while (!taken.try_emplace(name).second) name = prefix + std::to_string(number++);
  return name;
}

void connect_sizes(JoinedSymbols& symbols, const std::vector<SymInt>& given, const std::vector<SymInt>& taken,
                   const std::string& what) {
  // Single symbols first, because they help to solve larger expressions.
  for (const bool are_symbols : {true, false}) {
    for (std::size_t i = 0; i < taken.size(); ++i) {
      const Expression expected = expression_of(taken[i]);
      if (expected.symbol().empty() == are_symbols) continue;
      const Expression found = expression_of(given[i]);
      if (fit_size(symbols, found, expected)) continue;
      throw schemagen::UsageError("cannot join: size of " + what + ": expected " + expression_text(expected) +
                                  ", got " + expression_text(found));
    }
  }
}

void join_symbols(JoinedSymbols& symbols, ExportedProgram& second, schemagen::Map<RangeConstraint>& ranges) {
  const auto fold = [](SymInt& size) {
    const SymExpr* const expression = size.get_if<SymInt::as_expr>();
    if (expression == nullptr) return;
    const std::optional<std::int64_t> number = number_of(parse_expression(expression->expr_str));
    if (number) size.emplace<SymInt::as_int>(*number);
  };
  for_each_table_expression(second, [&](std::string& text) { replace_joined(symbols, text); });
  for_each_graph(second.graph_module.graph, [&](Graph& graph) {
    for (auto& [name, meta] : graph.tensor_values) {
      for (SymInt& size : meta.sizes) fold(size);
      for (SymInt& stride : meta.strides) fold(stride);
      fold(meta.storage_offset);
    }
  });
  for (const auto& [text, range] : second.range_constraints) {
    if (SymbolicText(text).only_symbol().empty() && text.find_first_of(" (*+-/") != text.npos) continue;
    join_range(joined_symbol(symbols, text), text, range, ranges);
  }
}

void free_sizes(ExportedProgram& part, const GraphSignature& whole) {
  schemagen::Map<bool> taken = symbols_of(part);
  const auto sizes = given_sizes(part, whole);
  SymbolSet known;
  for (const auto& [size, is_own] : sizes) {
    const Expression expression = expression_of(Size(*size));
    if (is_own || !expression.symbol().empty()) known.merge(symbols_in(expression));
  }
  SymbolSet seen;
  for (const auto& [given, is_own] : sizes) {
    const Size size(*given);
    const Expression expression = expression_of(size);
    const SymbolSet symbols = symbols_in(expression);
    if (is_own || !expression.symbol().empty()) seen.insert(symbols.begin(), symbols.end());
    // torch resolves symbols in input order, also from a size with several symbols.
    if (has_all(symbols.size() > 1 ? known : seen, symbols)) continue;
    const bool is_unbacked = std::any_of(symbols.begin(), symbols.end(), [](const std::string& symbol) {
      return starts_with(symbol, "u") || starts_with(symbol, "zuf");
    });
    const std::string name = free_name(is_unbacked ? "u0" : "s0", is_unbacked ? "u" : "s", 0, taken);
    const Expression symbol = is_unbacked ? parse_expression("Symbol('" + name + "', integer=True)")
                                          : expression_of(Size::symbol(name));
    part.range_constraints.insert(name, range_of_size(bounds_of(expression, part.range_constraints)));
    replace_sizes(part, NewSymbol(size, symbol, known));
    known.insert(name);
    seen.insert(name);
  }
}

}  // namespace pt2
