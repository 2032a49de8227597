#include "pt2/strings/expression_value.h"

#include <algorithm>
#include <numeric>

#include "pt2/text/numbers.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

constexpr std::size_t kMostTerms = 256;
constexpr std::int64_t kMostPower = 16;

std::int64_t fitting(std::optional<std::int64_t> number) {
  if (!number) throw schemagen::DataError("a size or count overflows 64 bits");
  return *number;
}

bool has_only(const Expression& expression, const Bindings& bindings) {
  bool has_only = true;
  for_each_symbol(expression,
                  [&](std::string_view symbol) { has_only = has_only && bindings.find(symbol) != nullptr; });
  return has_only;
}

std::optional<std::int64_t> small_power(const Expression& expression) {
  if (!expression.is_call("Pow") || expression.operands.size() != 2) return std::nullopt;
  const std::string* const digits = expression.operands[1].integer();
  const auto power = digits == nullptr ? std::nullopt : integer_of_text(*digits);
  return power && *power >= 0 && *power <= kMostPower ? power : std::nullopt;
}

}  // namespace

Polynomial::Polynomial(std::int64_t number) {
  add({}, number);
}

Polynomial::Polynomial(const SymInt& size, const Bindings& bindings) {
  if (const auto* const number = size.get_if<SymInt::as_int>()) add({}, *number);
  const auto* const expression = size.get_if<SymInt::as_expr>();
  if (expression == nullptr) return;
  const auto known = [&](const Expression& term) -> std::optional<Polynomial> {
    if (has_only(term, bindings)) {
      const ExpressionValue value = evaluate(term, bindings);
      if (value.kind == ExpressionValue::Kind::integer) return Polynomial(value.numerator);
      throw schemagen::DataError(schemagen::quoted(expression_text(term)) + ": expected an integer, got " +
                                 value.text());
    }
    if (term.symbol().empty()) return std::nullopt;
    return symbol(std::string(term.symbol()));
  };
  *this = expanded(parse_expression(expression->expr_str), known,
                   [](const Expression& term) { return "(" + expression_text(term) + ")"; });
}

Polynomial Polynomial::expanded(const Expression& expression, const KnownTerm& known,
                                const SymbolName& symbol_name) {
  if (auto value = known(expression)) return *std::move(value);
  const bool is_sum = expression.is_call("Add");
  if (is_sum || expression.is_call("Mul")) {
    Polynomial result(is_sum ? 0 : 1);
    for (const Expression& operand : expression.operands) {
      const Polynomial value = expanded(operand, known, symbol_name);
      is_sum ? result += value : result *= value;
    }
    return result;
  }
  if (const auto power = small_power(expression)) {
    Polynomial result(1);
    const Polynomial base = expanded(expression.operands[0], known, symbol_name);
    for (std::int64_t i = 0; i < *power; ++i) result *= base;
    return result;
  }
  return symbol(symbol_name(expression));
}

Polynomial Polynomial::symbol(std::string name) {
  Polynomial result;
  result.add({{std::move(name), 1}}, 1);
  return result;
}

Polynomial& Polynomial::operator+=(const Polynomial& other) {
  for (const auto& [powers, coefficient] : other.terms_) add(powers, coefficient);
  return *this;
}

Polynomial& Polynomial::operator*=(const Polynomial& other) {
  if (terms_.size() * other.terms_.size() > kMostTerms) {
    throw schemagen::DataError("a size or count has more than " + std::to_string(kMostTerms) + " terms");
  }
  Polynomial result;
  for (const auto& [a, a_coefficient] : terms_) {
    for (const auto& [b, b_coefficient] : other.terms_) {
      result.add(product(a, b), fitting(checked_product(a_coefficient, b_coefficient)));
    }
  }
  return *this = std::move(result);
}

Polynomial::Powers Polynomial::product(const Powers& a, const Powers& b) {
  Powers result = a;
  for (const auto& [name, power] : b) {
    const auto at =
        std::lower_bound(result.begin(), result.end(), name,
                         [](const auto& entry, const std::string& key) { return entry.first < key; });
    if (at != result.end() && at->first == name) {
      at->second += power;
    } else {
      result.insert(at, {name, power});
    }
  }
  return result;
}

void Polynomial::add(const Powers& powers, std::int64_t coefficient) {
  if (coefficient == 0) return;
  const auto [at, is_new] = terms_.emplace(powers, coefficient);
  if (is_new) return;
  at->second = fitting(checked_sum(at->second, coefficient));
  if (at->second == 0) terms_.erase(at);
}

std::optional<std::int64_t> Polynomial::number() const {
  if (terms_.empty()) return 0;
  if (terms_.size() > 1 || !terms_.begin()->first.empty()) return std::nullopt;
  return terms_.begin()->second;
}

std::string Polynomial::text() const {
  if (terms_.empty()) return "0";
  std::vector<const std::pair<const Powers, std::int64_t>*> terms;
  for (const auto& term : terms_) terms.push_back(&term);
  const auto degree = [](const auto* term) {
    return std::accumulate(term->first.begin(), term->first.end(), 0,
                           [](int sum, const auto& factor) { return sum + factor.second; });
  };
  std::stable_sort(terms.begin(), terms.end(),
                   [&](const auto* a, const auto* b) { return degree(a) > degree(b); });
  using Kind = Expression::Kind;
  const auto integer = [](std::int64_t value) {
    return Expression{Kind::call, "Integer", "", {{Kind::number, std::to_string(value), "", {}}}};
  };
  Expression sum = {Kind::call, "Add", "", {}};
  for (const auto* term : terms) {
    Expression factors = {Kind::call, "Mul", "", {integer(term->second)}};
    for (const auto& [name, power] : term->first) {
      const Expression base = {Kind::call, "Symbol", "", {{Kind::string, name, "", {}}}};
      factors.operands.push_back({Kind::call, "Pow", "", {base, integer(power)}});
    }
    sum.operands.push_back(std::move(factors));
  }
  return expression_text(sum);
}

}  // namespace pt2
