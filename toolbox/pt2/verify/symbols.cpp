#include "pt2/verify/check.h"

#include <algorithm>

#include "pt2/schema_info.h"
#include "pt2/text/affix.h"
#include "pt2/text/expression.h"
#include "schemagen/base/value_path.h"

namespace pt2 {
namespace {

/// As torch expects; unset: any.
template <class Sym>
constexpr SymExprHint::Kind kHintKind = std::is_same_v<Sym, SymInt>     ? SymExprHint::as_int
                                        : std::is_same_v<Sym, SymFloat> ? SymExprHint::as_float
                                                                        : SymExprHint::unset;

struct SymbolCheck {
  struct Known {
    bool is_readable = true;
    const RangeConstraint* range = nullptr;  // of the whole expression
    std::vector<std::string> unbacked;
    std::vector<std::string> determined;  // see determined_by()
  };

  void read_ranges() {
    for (const auto& [name, range] : ranges()) {
      if (name.find_first_of(" (*+-/") == name.npos) continue;
      try {
        expression_ranges.emplace(form(parse_expression(name)), &range);
      } catch (const schemagen::DataError&) {  // reported with the ranges
      }
    }
  }

  void check_graph(const Check::Scope& scope) {
    for_each_table(scope.index.graph(), [&](const auto& map, ValueName::Table table) {
      for (const auto& entry : map) {
        check_entry(entry.value, [&] { return check.path_of_entry(scope, table, entry.key()); });
      }
    });
  }

  void check_unbacked() {
    for (const auto& [symbol, path] : unbacked) {
      if (determined.contains(symbol)) continue;
      check.add(RuleId::symbol_undefined, path,
                "no value or size defines the symbol " + schemagen::quoted(symbol));
    }
  }

  void check_ranges() {
    for (const auto& [name, range] : check.program.range_constraints) {
      std::string path = "range_constraints";
      schemagen::append_key(path, name);
      if (range.min_val && range.max_val && *range.min_val > *range.max_val) {
        check.add(RuleId::range_empty, path,
                  "the lower bound, " + std::to_string(*range.min_val) + ", exceeds the upper bound, " +
                      std::to_string(*range.max_val));
      }
      if (is_misnamed(name)) {
        check.add(RuleId::range_name, path,
                  "torch expects a number after 'u' or 'zuf', found " + schemagen::quoted(name));
      } else if (!expressions.contains(name) && !symbols.contains(name) &&
                 read(name, [&] { return path; }).is_readable) {
        check.add(RuleId::range_unused, path, "no value uses " + schemagen::quoted(name));
      }
    }
  }

  void check_guards() {
    const std::vector<std::string>& guards = check.program.guards_code;
    std::size_t faults = 0;
    for (std::size_t i = 0; i < guards.size(); ++i) {
      try {
        parse_expression(guards[i]);
      } catch (const schemagen::DataError& error) {
        check.add(RuleId::guard_syntax, at_index("guards_code", i), error.what());
        if (++faults == kMostOfARule) break;
      }
    }
  }

  /// torch numbers unbacked symbols by the digits after their prefix.
  static bool is_misnamed(std::string_view name) {
    const std::string_view digits = starts_with(name, "zuf") ? name.substr(3)
                                    : starts_with(name, "u") ? name.substr(1)
                                                             : "0";
    return digits.empty() || digits.find_first_not_of("0123456789") != digits.npos;
  }

  template <class Path>
  void check_entry(const CustomObjArgument&, const Path&) {}

  template <class Path>
  void check_entry(const TensorMeta& meta, const Path& path) {
    for (std::size_t i = 0; i < meta.sizes.size(); ++i) {
      check_entry(meta.sizes[i], [&] { return at_index(path() + ".sizes", i); });
    }
    for (std::size_t i = 0; i < meta.strides.size(); ++i) {
      check_entry(meta.strides[i], [&] { return at_index(path() + ".strides", i); });
    }
    // torch ignores the offset when it loads a program.
    check_entry(
        meta.storage_offset, [&] { return path() + ".storage_offset"; }, false);
  }

  template <class Sym, class Path>
  void check_entry(const Sym& value, const Path& path, bool is_read_by_torch = true) {
    if (value.kind() == Sym::unset)
      return check.add(RuleId::member_missing, path(), "no member of the union is set");
    const SymExpr* const expression = value.template get_if<Sym::as_expr>();
    if (expression == nullptr) return;
    const auto expression_path = [&] { return path() + ".as_expr"; };
    const Known& known = read(expression->expr_str, [&] { return expression_path() + ".expr_str"; });
    if (is_read_by_torch) note_unbacked(known, expression_path);
    check_hint_range(*expression, known.range, expression_path);
    constexpr SymExprHint::Kind expected = kHintKind<Sym>;
    if (!expression->hint || expected == SymExprHint::unset || expression->hint->kind() == expected) return;
    check.add(RuleId::hint_kind, expression_path() + ".hint",
              "expected " + std::string(name_of(expected)) + ", found " +
                  std::string(name_of(expression->hint->kind())));
  }

  template <class Path>
  void check_hint_range(const SymExpr& expression, const RangeConstraint* range, const Path& path) {
    const std::int64_t* const hint =
        expression.hint ? expression.hint->get_if<SymExprHint::as_int>() : nullptr;
    if (hint == nullptr || range == nullptr) return;
    if ((range->min_val && *hint < *range->min_val) || (range->max_val && *hint > *range->max_val)) {
      check.add(RuleId::hint_range, path() + ".hint",
                std::to_string(*hint) + " is outside the range of " + schemagen::quoted(expression.expr_str));
    }
  }

  template <class Path>
  const Known& read(const std::string& text, const Path& path) {
    const auto [at, is_new] = expressions.try_emplace(text);
    Known& known = *at;
    if (!is_new) return known;
    try {
      const Expression expression = parse_expression(text);
      known.range = range_of(expression);
      known.determined = determined_by(expression);
      for_each_symbol(expression, [&](std::string_view symbol) {
        // An unbacked symbol depends on data, not on sizes of inputs.
        if (starts_with(symbol, "u") || starts_with(symbol, "zuf")) known.unbacked.emplace_back(symbol);
        if (!symbols.insert(symbol) || ranges().contains(symbol)) return;
        check.add(RuleId::symbol_unbounded, path(), "no range for the symbol " + schemagen::quoted(symbol));
      });
    } catch (const schemagen::DataError& error) {
      check.add(RuleId::expression_syntax, path(), error.what());
      known.is_readable = false;
    }
    return known;
  }

  static std::string form(Expression expression) {
    drop_assumptions(expression);
    return srepr(expression);
  }
  static void drop_assumptions(Expression& expression) {
    if (expression.is_call("Symbol"))
      expression.operands.resize(std::min<std::size_t>(expression.operands.size(), 1));
    for (Expression& operand : expression.operands) drop_assumptions(operand);
  }

  /// Of symbols, and of expressions that are sizes of inputs.
  const RangeConstraint* range_of(const Expression& expression) const {
    if (!expression.symbol().empty()) return ranges().find(expression.symbol());
    if (expression_ranges.empty()) return nullptr;
    const auto found = expression_ranges.find(form(expression));
    return found == expression_ranges.end() ? nullptr : found->second;
  }

  /// The symbols that a value determines for torch: alone, divided by another one, or as a bool.
  static std::vector<std::string> determined_by(const Expression& expression) {
    const std::vector<Expression>& operands = expression.operands;
    if (expression.is_call("Mul") && operands.size() == 2) {
      return {std::string(operands[0].symbol()), std::string(operands[1].symbol())};
    }
    if ((expression.is_call("Equality") || expression.is_call("Eq")) && !operands.empty()) {
      return {std::string(operands[0].symbol())};
    }
    return {std::string(expression.symbol())};
  }

  template <class Path>
  void note_unbacked(const Known& known, const Path& path) {
    if (known.unbacked.empty()) return;
    for (const std::string& symbol : known.determined) determined.insert(symbol);
    for (const std::string& symbol : known.unbacked) {
      if (unbacked.count(symbol) == 0) unbacked.emplace(symbol, path());
    }
  }

  const schemagen::Map<RangeConstraint>& ranges() const { return check.program.range_constraints; }

  Check& check;
  schemagen::Map<Known> expressions = {};
  std::map<std::string, const RangeConstraint*> expression_ranges = {};  // by form()
  schemagen::Set symbols = {};                                           // of these expressions
  std::map<std::string, std::string> unbacked = {};                      // with the place of their first use
  schemagen::Set determined = {};
};

}  // namespace

void check_symbols(Check& check) {
  SymbolCheck symbols{check};
  symbols.read_ranges();
  for (const Check::Scope& scope : check.index.scopes()) symbols.check_graph(scope);
  symbols.check_unbacked();
  symbols.check_ranges();
  symbols.check_guards();
}

}  // namespace pt2
