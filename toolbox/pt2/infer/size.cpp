#include "pt2/infer/infer.h"

#include <algorithm>

#include "pt2/text/join.h"
#include "pt2/text/numbers.h"
#include "pt2/text/python_name.h"

namespace pt2 {
namespace {

/// The operands of Max and Min in one order.
std::string term_name(const Expression& term) {
  if (!term.is_call("Max") && !term.is_call("Min")) return srepr(term);
  Expression sorted = term;
  std::sort(sorted.operands.begin(), sorted.operands.end(),
            [](const Expression& a, const Expression& b) { return srepr(a) < srepr(b); });
  return srepr(sorted);
}

/// Other expressions count as symbols, named by their srepr.
Polynomial polynomial(const Expression& expression) {
  const auto number_of = [](const Expression& term) -> std::optional<Polynomial> {
    const std::string* const digits = term.integer();
    return digits == nullptr ? std::nullopt : integer_of_text(*digits);
  };
  return Polynomial::expanded(expression, number_of, term_name);
}

std::string integer_text(std::int64_t number) {
  return "Integer(" + std::to_string(number) + ")";
}

std::string call_text(const char* head, const std::vector<std::string>& operands) {
  if (operands.size() == 1) return operands.front();
  return std::string(head) + "(" + join_texts(operands, ", ") + ")";
}

std::string term_text(const Polynomial::Powers& powers, std::int64_t coefficient) {
  std::vector<std::string> factors;
  if (coefficient != 1 || powers.empty()) factors.push_back(integer_text(coefficient));
  for (const auto& [symbol, power] : powers) {
    factors.push_back(power == 1 ? symbol : "Pow(" + symbol + ", " + integer_text(power) + ")");
  }
  return call_text("Mul", factors);
}

std::optional<Polynomial::Powers> without(Polynomial::Powers a, const Polynomial::Powers& b) {
  for (const auto& factor : b) {
    const auto at = std::find_if(a.begin(), a.end(), [&](const auto& f) { return f.first == factor.first; });
    if (at == a.end() || at->second < factor.second) return std::nullopt;
    at->second -= factor.second;
    if (at->second == 0) a.erase(at);
  }
  return a;
}

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

constexpr std::string_view kSymbolBegin = "Symbol('";
constexpr std::string_view kSymbolEnd = "', positive=True, integer=True)";

/// Empty unless torch uses the form for sizes.
std::string_view symbol_of(std::string_view text) {
  if (text.size() <= kSymbolBegin.size() + kSymbolEnd.size()) return {};
  const std::string_view name =
      text.substr(kSymbolBegin.size(), text.size() - kSymbolBegin.size() - kSymbolEnd.size());
  const bool is_symbol = text.substr(0, kSymbolBegin.size()) == kSymbolBegin &&
                         text.substr(text.size() - kSymbolEnd.size()) == kSymbolEnd && is_identifier(name);
  return is_symbol ? name : std::string_view();
}

bool has_plain_symbols(const Polynomial& sum) {
  return std::all_of(sum.terms().begin(), sum.terms().end(), [](const auto& term) {
    return std::none_of(term.first.begin(), term.first.end(),
                        [](const auto& factor) { return symbol_of(factor.first).empty(); });
  });
}

std::optional<std::int64_t> value_of(const Polynomial& sum, const Bindings& hints) {
  Polynomial result;
  for (const auto& [powers, coefficient] : sum.terms()) {
    Polynomial product(coefficient);
    for (const auto& [symbol, power] : powers) {
      const std::int64_t* const value = hints.find(symbol_of(symbol));
      if (value == nullptr) return std::nullopt;
      for (int i = 0; i < power; ++i) product *= *value;
    }
    result += product;
  }
  return result.number();
}

std::optional<std::int64_t> lower_bound(const Polynomial& sum);

/// Symbols for sizes are positive.
std::optional<std::int64_t> lower_bound(const std::string& term) {
  if (!symbol_of(term).empty()) return 1;
  const Expression expression = parse_expression(term);
  if (expression.is_call("Max")) {
    std::optional<std::int64_t> most;
    for (const Expression& operand : expression.operands)
      most = std::max(most, lower_bound(polynomial(operand)));
    return most;
  }
  if (!expression.is_call("FloorDiv") || expression.operands.size() != 2) return std::nullopt;
  const auto dividend = lower_bound(polynomial(expression.operands[0]));
  const auto divisor = polynomial(expression.operands[1]).number();
  if (!dividend || !divisor || *divisor <= 0) return std::nullopt;
  return floor_quotient(*dividend, *divisor);
}

/// A number that the sum is never below, if the signs of its terms show one.
std::optional<std::int64_t> lower_bound(const Polynomial& sum) {
  Polynomial least;
  for (const auto& [powers, coefficient] : sum.terms()) {
    Polynomial product(coefficient);
    for (const auto& [term, power] : powers) {
      const auto bound = lower_bound(term);
      if (!bound || *bound < 0 || coefficient < 0) return std::nullopt;
      for (int i = 0; i < power; ++i) product *= *bound;
    }
    least += product;
  }
  return least.number();
}

Size extreme(const char* head, const Size& a, const Size& b, bool is_first) {
  if (a == b) return a;
  if (a.number() && b.number()) return is_first ? a : b;
  return Size::of(parse_expression(std::string(head) + "(" + a.srepr() + ", " + b.srepr() + ")"));
}

}  // namespace

Size larger(const Size& a, const Size& b) {
  if (a.number() && !b.number()) return larger(b, a);
  const bool is_first = a.number().value_or(0) > b.number().value_or(0);
  if (!a.number() && b.number() && lower_bound(a.sum()) >= b.number()) return a;
  return extreme("Max", a, b, is_first);
}

Size smaller(const Size& a, const Size& b) {
  if (a.number() && !b.number()) return smaller(b, a);
  if (!a.number() && b.number() && lower_bound(a.sum()) >= b.number()) return b;
  return extreme("Min", a, b, a.number().value_or(0) < b.number().value_or(0));
}

bool may_equal(const Size& a, const Size& b, const Bindings& hints) {
  if (a == b) return true;
  const auto left = a.hint(hints);
  const auto right = b.hint(hints);
  return !left || !right || *left == *right;
}

Size::Size(const SymInt& value) {
  if (const auto* const number = value.get_if<SymInt::as_int>()) {
    number_ = *number;
  } else if (const auto* const expression = value.get_if<SymInt::as_expr>()) {
    *this = of(parse_expression(expression->expr_str));
  }
}

Size SizeTexts::size(const SymInt& value) {
  const auto* const expression = value.get_if<SymInt::as_expr>();
  if (expression == nullptr) return Size(value);
  if (const Size* const known = read_.find(expression->expr_str)) return *known;
  return read_[expression->expr_str] = Size(value);
}

const Bindings& SizeTexts::other_hints(const Bindings& hints) {
  if (!other_hints_) {
    other_hints_.emplace();
    for (const auto& [symbol, value] : hints) other_hints_->insert(symbol, 3 * (value % (1 << 20)) + 17);
  }
  return *other_hints_;
}

Size::Size(Polynomial sum) {
  if (const auto number = sum.number()) {
    number_ = *number;
  } else {
    symbolic_ = std::make_shared<const Polynomial>(std::move(sum));
  }
}

Size Size::symbol(std::string_view name) {
  return Size(Polynomial::symbol(std::string(kSymbolBegin).append(name).append(kSymbolEnd)));
}

Size Size::of(const Expression& expression) {
  return Size(polynomial(expression));
}

std::string Size::srepr() const {
  if (symbolic_ == nullptr) return integer_text(number_);
  std::vector<std::string> terms;
  for (const auto& [powers, coefficient] : symbolic_->terms())
    terms.push_back(term_text(powers, coefficient));
  return call_text("Add", terms);
}

std::optional<std::int64_t> Size::hint(const Bindings& hints) const {
  if (symbolic_ == nullptr) return number_;
  if (has_plain_symbols(*symbolic_)) return value_of(*symbolic_, hints);
  const Expression expression = parse_expression(srepr());
  bool is_known = true;
  for_each_symbol(expression,
                  [&](std::string_view symbol) { is_known = is_known && hints.find(symbol) != nullptr; });
  if (!is_known) return std::nullopt;
  return evaluate(expression, hints).numerator;
}

bool Size::has_functions() const {
  return symbolic_ != nullptr && !has_plain_symbols(*symbolic_);
}

SymInt Size::sym_int(const Bindings& hints) const {
  if (symbolic_ == nullptr) return SymInt(number_);
  SymInt value;
  SymExpr& expression = value.emplace<SymInt::as_expr>();
  expression.expr_str = srepr();
  if (const auto known = hint(hints)) expression.hint = SymExprHint(*known);
  return value;
}

Size operator+(const Size& a, const Size& b) {
  const bool are_numbers = a.number() && b.number();
  const auto sum = are_numbers ? checked_sum(a.number_, b.number_) : std::nullopt;
  return sum ? Size(*sum) : Size(a.sum() + b.sum());
}

Size operator-(const Size& a, const Size& b) {
  return a + b * Size(-1);
}

Size operator*(const Size& a, const Size& b) {
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  const bool are_numbers = a.number() && b.number();
  const auto product = are_numbers ? checked_product(a.number_, b.number_) : std::nullopt;
  return product ? Size(*product) : Size(a.sum() * b.sum());
}

bool operator==(const Size& a, const Size& b) {
  if (a.symbolic_ == nullptr || b.symbolic_ == nullptr) {
    return a.symbolic_ == b.symbolic_ && a.number_ == b.number_;
  }
  return *a.symbolic_ == *b.symbolic_;
}

std::optional<Size> quotient(const Size& a, const Size& b) {
  if (b.is(0)) return std::nullopt;
  if (a == b) return Size(1);
  const Polynomial divisor = b.sum();
  if (divisor.terms().size() != 1) return std::nullopt;
  const auto& [factors, number] = *divisor.terms().begin();
  const Polynomial dividend = a.sum();
  Polynomial result;
  for (const auto& [powers, coefficient] : dividend.terms()) {
    const auto rest = without(powers, factors);
    if (!rest || coefficient % number != 0) return std::nullopt;
    result.add(*rest, coefficient / number);
  }
  return Size(result);
}

Size floor_div(const Size& a, const Size& b) {
  if (b.is(0)) throw schemagen::DataError("cannot divide a size by 0");
  if (const auto exact = quotient(a, b)) return *exact;
  const auto divisor = b.number();
  if (!divisor) return Size(Polynomial::symbol("FloorDiv(" + a.srepr() + ", " + b.srepr() + ")"));
  // (4*s0 + 7)//2 is 2*s0 + 3
  const Polynomial dividend = a.sum();
  Polynomial outside;
  Polynomial inside;
  for (const auto& [powers, coefficient] : dividend.terms()) {
    const bool is_multiple = coefficient % *divisor == 0;
    (is_multiple ? outside : inside).add(powers, is_multiple ? coefficient / *divisor : coefficient);
  }
  if (const auto number = inside.number()) {
    return Size(outside + Polynomial(floor_quotient(*number, *divisor)));
  }
  const Size rest(inside);
  return Size(outside + Polynomial::symbol("FloorDiv(" + rest.srepr() + ", " + b.srepr() + ")"));
}

}  // namespace pt2
