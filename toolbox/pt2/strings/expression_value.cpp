#include "pt2/strings/expression_value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <system_error>

#include "pt2/text/affix.h"
#include "pt2/text/literal.h"
#include "pt2/text/numbers.h"
#include "pt2/text/words.h"
#include "schemagen/base/error.h"
#include "schemagen/base/float_chars.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

using Evaluated = ExpressionValue;
constexpr std::int64_t kLeastInteger = std::numeric_limits<std::int64_t>::min();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Evaluated whole(std::int64_t number) {
  return {Evaluated::Kind::integer, number, 1, 0};
}
Evaluated truth(bool is_true) {
  return {Evaluated::Kind::boolean, is_true ? 1 : 0, 1, 0};
}
Evaluated real_value(double number) {
  return {Evaluated::Kind::real, 0, 1, number};
}
double as_real(const Evaluated& value) {
  if (value.kind == Evaluated::Kind::real) return value.real;
  return static_cast<double>(value.numerator) / static_cast<double>(value.denominator);
}

struct Call {
  const Expression& expression;
  std::vector<Evaluated> operands;

  const Evaluated& operator[](std::size_t i) const { return operands[i]; }

  [[noreturn]] void fail(const std::string& reason) const {
    throw schemagen::DataError(reason + " in " + schemagen::quoted(expression_text(expression)));
  }

  std::int64_t fitting(std::optional<std::int64_t> number) const {
    if (!number) fail("a value overflows 64 bits");
    return *number;
  }
  std::int64_t product(std::int64_t a, std::int64_t b) const { return fitting(checked_product(a, b)); }
  std::int64_t sum(std::int64_t a, std::int64_t b) const { return fitting(checked_sum(a, b)); }

  Evaluated fraction(std::int64_t numerator, std::int64_t denominator) const {
    if (denominator == 0) fail("division by zero");
    if (numerator == kLeastInteger || denominator == kLeastInteger) fail("a value overflows 64 bits");
    const std::int64_t divisor = std::gcd(numerator, denominator) * (denominator < 0 ? -1 : 1);
    const std::int64_t lowest = denominator / divisor;
    return {lowest == 1 ? Evaluated::Kind::integer : Evaluated::Kind::rational, numerator / divisor, lowest,
            0};
  }
  Evaluated add(const Evaluated& a, const Evaluated& b) const {
    if (a.kind == Evaluated::Kind::real || b.kind == Evaluated::Kind::real)
      return real_value(as_real(a) + as_real(b));
    if (a.denominator == 1 && b.denominator == 1) return whole(sum(a.numerator, b.numerator));
    return fraction(sum(product(a.numerator, b.denominator), product(b.numerator, a.denominator)),
                    product(a.denominator, b.denominator));
  }
  Evaluated multiply(const Evaluated& a, const Evaluated& b) const {
    if (a.kind == Evaluated::Kind::real || b.kind == Evaluated::Kind::real)
      return real_value(as_real(a) * as_real(b));
    if (a.denominator == 1 && b.denominator == 1) return whole(product(a.numerator, b.numerator));
    // Keeps products small.
    const Evaluated left = fraction(a.numerator, b.denominator);
    const Evaluated right = fraction(b.numerator, a.denominator);
    return fraction(product(left.numerator, right.numerator), product(left.denominator, right.denominator));
  }
  Evaluated folded(Evaluated value,
                   Evaluated (Call::*join)(const Evaluated& a, const Evaluated& b) const) const {
    for (const Evaluated& operand : operands) value = (this->*join)(value, operand);
    return value;
  }

  Evaluated divide(const Evaluated& a, const Evaluated& b) const {
    if (as_real(b) == 0) fail("division by zero");
    if (a.kind == Evaluated::Kind::real || b.kind == Evaluated::Kind::real)
      return real_value(as_real(a) / as_real(b));
    return multiply(a, fraction(b.denominator, b.numerator));
  }
  bool less(const Evaluated& a, const Evaluated& b) const {
    if (a.kind == Evaluated::Kind::real || b.kind == Evaluated::Kind::real) return as_real(a) < as_real(b);
    if (a.denominator == b.denominator) return a.numerator < b.numerator;
    return product(a.numerator, b.denominator) < product(b.numerator, a.denominator);
  }
  bool equal(const Evaluated& a, const Evaluated& b) const { return !less(a, b) && !less(b, a); }

  Evaluated to_whole(double value) const {
    constexpr double kBound = 9223372036854775808.0;
    if (std::isinf(value)) return real_value(value);
    if (!(value >= -kBound && value < kBound)) fail("a value overflows 64 bits");
    return whole(static_cast<std::int64_t>(value));
  }
  Evaluated floor(const Evaluated& value) const {
    if (value.kind == Evaluated::Kind::real) return to_whole(std::floor(value.real));
    const std::int64_t quotient = value.numerator / value.denominator;
    return whole(value.numerator % value.denominator < 0 ? quotient - 1 : quotient);
  }
  Evaluated negative(const Evaluated& value) const { return multiply(whole(-1), value); }
  Evaluated floor_divide(const Evaluated& a, const Evaluated& b) const { return floor(divide(a, b)); }
  Evaluated modulo(const Evaluated& a, const Evaluated& b) const {
    return add(a, negative(multiply(b, floor_divide(a, b))));
  }

  Evaluated whole_power(Evaluated base, std::int64_t exponent) const {
    if (exponent < 0) {
      if (exponent == kLeastInteger) fail("a value overflows 64 bits");
      return divide(whole(1), whole_power(base, -exponent));
    }
    if (base.kind == Evaluated::Kind::real)
      return real_value(std::pow(base.real, static_cast<double>(exponent)));
    Evaluated power = whole(1);
    for (; exponent > 0; exponent /= 2) {
      if (exponent % 2 == 1) power = multiply(power, base);
      if (exponent > 1) base = multiply(base, base);
    }
    return power;
  }
  std::optional<Evaluated> exact_root(const Evaluated& value, std::int64_t degree) const {
    if (value.kind == Evaluated::Kind::real || value.numerator < 0) return std::nullopt;
    const auto root = [&](std::int64_t number) {
      const double exponent = 1 / static_cast<double>(degree);
      return static_cast<std::int64_t>(std::llround(std::pow(static_cast<double>(number), exponent)));
    };
    const Evaluated found = fraction(root(value.numerator), root(value.denominator));
    const bool is_small = std::pow(as_real(found), static_cast<double>(degree)) < 9e18;
    if (!is_small || !equal(whole_power(found, degree), value)) return std::nullopt;
    return found;
  }
  Evaluated power(const Evaluated& base, const Evaluated& exponent) const {
    if (exponent.kind == Evaluated::Kind::integer) return whole_power(base, exponent.numerator);
    if (exponent.kind == Evaluated::Kind::rational) {
      const std::optional<Evaluated> root = exact_root(base, exponent.denominator);
      if (root) return whole_power(*root, exponent.numerator);
    }
    return checked(std::pow(as_real(base), as_real(exponent)));
  }
  Evaluated checked(double result) const {
    if (std::isnan(result)) fail("not a real number");
    return real_value(result);
  }

  std::int64_t integer(std::size_t i) const {
    if (operands[i].kind != Evaluated::Kind::integer) fail("expected an integer, got " + operands[i].text());
    return operands[i].numerator;
  }
  bool boolean(std::size_t i) const {
    if (operands[i].kind != Evaluated::Kind::boolean) fail("expected a bool, got " + operands[i].text());
    return operands[i].numerator != 0;
  }
};

Evaluated round_decimal(const Call& call) {
  const std::int64_t digits = call.integer(1);
  const double number = as_real(call[0]);
  if (digits < 0 || digits > 300) call.fail("expected 0 to 300 digits");
  if (!std::isfinite(number)) return real_value(number);
  char text[700];
  const char* const end = schemagen::put_rounded(text, text + sizeof text, number, std::chars_format::fixed,
                                                 static_cast<int>(digits));
  double rounded = 0;
  schemagen::parse_float(text, end, rounded);
  return real_value(rounded);
}

Evaluated shifted(const Call& call, bool is_left) {
  const std::int64_t shift = call.integer(1);
  if (shift < 0) call.fail("negative shift");
  const Evaluated power = call.whole_power(whole(2), shift);
  return is_left ? call.multiply(call[0], power) : call.floor_divide(call[0], power);
}

Evaluated bitwise(const Call& call, char op) {
  const bool are_truths =
      call[0].kind == Evaluated::Kind::boolean && call[1].kind == Evaluated::Kind::boolean;
  const std::int64_t a = are_truths ? call[0].numerator : call.integer(0);
  const std::int64_t b = are_truths ? call[1].numerator : call.integer(1);
  const std::int64_t result = op == '&' ? a & b : op == '|' ? a | b : a ^ b;
  return are_truths ? truth(result != 0) : whole(result);
}

Evaluated is_dense(const Call& call) {
  const std::size_t rank = call.operands.size() / 2;
  std::vector<std::pair<std::int64_t, std::int64_t>> dimensions;
  for (std::size_t i = 0; i < rank; ++i) dimensions.emplace_back(call.integer(rank + i), call.integer(i));
  std::stable_sort(dimensions.begin(), dimensions.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (rank == 1) return whole(dimensions[0].first == 1 || dimensions[0].second < 2 ? 1 : 0);
  std::int64_t expected = 1;
  for (const auto& [stride, size] : dimensions) {
    if (size == 1) continue;
    if (stride != expected) return whole(0);
    expected = call.product(expected, size);
  }
  return whole(1);
}

Evaluated extreme(const Call& call, bool is_max) {
  Evaluated found = call[0];
  for (const Evaluated& operand : call.operands) {
    if (is_max ? call.less(found, operand) : call.less(operand, found)) found = operand;
  }
  return found;
}

Evaluated mod(const Call& call) {
  if (as_real(call[0]) < 0 || as_real(call[1]) < 0) call.fail("Mod of a negative number");
  return call.modulo(call[0], call[1]);
}

Evaluated power_by_natural(const Call& call) {
  if (call.integer(1) < 0) call.fail("negative exponent");
  return call.whole_power(call[0], call.integer(1));
}

Evaluated logarithm(const Call& call) {
  const double number = std::log(as_real(call[0]));
  return call.checked(call.operands.size() == 2 ? number / std::log(as_real(call[1])) : number);
}

template <double (*function)(double)>
Evaluated of_reals(const Call& call) {
  return call.checked(function(as_real(call[0])));
}
template <double (*round)(double)>
Evaluated to_integer(const Call& call) {
  return call[0].kind == Evaluated::Kind::integer ? call[0] : call.to_whole(round(as_real(call[0])));
}

struct Function {
  std::string_view names;  // of sympy and of Python
  std::size_t least;
  std::size_t most;
  Evaluated (*apply)(const Call& call);
};
constexpr std::size_t kAny = 1000000;
const Function kFunctions[] = {
    {"Add", 0, kAny, [](const Call& c) { return c.folded(whole(0), &Call::add); }},
    {"Mul", 0, kAny, [](const Call& c) { return c.folded(whole(1), &Call::multiply); }},
    {"Pow", 2, 2, [](const Call& c) { return c.power(c[0], c[1]); }},
    {"sqrt", 1, 1, [](const Call& c) { return c.power(c[0], c.fraction(1, 2)); }},
    {"Max max", 1, kAny, [](const Call& c) { return extreme(c, true); }},
    {"Min min", 1, kAny, [](const Call& c) { return extreme(c, false); }},
    {"Abs abs", 1, 1, [](const Call& c) { return c.less(c[0], whole(0)) ? c.negative(c[0]) : c[0]; }},
    {"sign", 1, 1, [](const Call& c) { return whole(c.less(whole(0), c[0]) - c.less(c[0], whole(0))); }},
    {"floor", 1, 1, [](const Call& c) { return c.floor(c[0]); }},
    {"ceiling", 1, 1, [](const Call& c) { return c.negative(c.floor(c.negative(c[0]))); }},
    {"Identity", 1, 1, [](const Call& c) { return c[0]; }},
    {"Equality", 2, 2, [](const Call& c) { return truth(c.equal(c[0], c[1])); }},
    {"Unequality", 2, 2, [](const Call& c) { return truth(!c.equal(c[0], c[1])); }},
    {"LessThan", 2, 2, [](const Call& c) { return truth(!c.less(c[1], c[0])); }},
    {"GreaterThan", 2, 2, [](const Call& c) { return truth(!c.less(c[0], c[1])); }},
    {"StrictLessThan", 2, 2, [](const Call& c) { return truth(c.less(c[0], c[1])); }},
    {"StrictGreaterThan", 2, 2, [](const Call& c) { return truth(c.less(c[1], c[0])); }},
    {"Not", 1, 1, [](const Call& c) { return truth(!c.boolean(0)); }},
    {"Xor", 2, 2, [](const Call& c) { return truth(c.boolean(0) != c.boolean(1)); }},
    {"FloorDiv CleanDiv", 2, 2, [](const Call& c) { return c.floor_divide(c[0], c[1]); }},
    {"CeilDiv", 2, 2, [](const Call& c) { return c.negative(c.floor_divide(c.negative(c[0]), c[1])); }},
    {"Mod", 2, 2, mod},
    {"PythonMod", 2, 2, [](const Call& c) { return c.modulo(c[0], c[1]); }},
    {"ModularIndexing", 3, 3, [](const Call& c) { return c.modulo(c.floor_divide(c[0], c[1]), c[2]); }},
    {"TrueDiv IntTrueDiv FloatTrueDiv", 2, 2,
     [](const Call& c) { return real_value(as_real(c.divide(c[0], c[1]))); }},
    {"PowByNatural", 2, 2, power_by_natural},
    {"FloatPow", 2, 2, [](const Call& c) { return c.checked(std::pow(as_real(c[0]), as_real(c[1]))); }},
    {"LShift", 2, 2, [](const Call& c) { return shifted(c, true); }},
    {"RShift", 2, 2, [](const Call& c) { return shifted(c, false); }},
    {"BitwiseFn_bitwise_and", 2, 2, [](const Call& c) { return bitwise(c, '&'); }},
    {"BitwiseFn_bitwise_or", 2, 2, [](const Call& c) { return bitwise(c, '|'); }},
    {"BitwiseFn_bitwise_xor", 2, 2, [](const Call& c) { return bitwise(c, '^'); }},
    {"ToFloat float", 1, 1, [](const Call& c) { return real_value(as_real(c[0])); }},
    {"FloorToInt math.floor", 1, 1, to_integer<std::floor>},
    {"CeilToInt math.ceil", 1, 1, to_integer<std::ceil>},
    {"TruncToInt math.trunc", 1, 1, to_integer<std::trunc>},
    {"RoundToInt", 1, 1, to_integer<std::nearbyint>},
    {"TruncToFloat", 1, 1, of_reals<std::trunc>},
    {"RoundDecimal", 2, 2, round_decimal},
    {"IsNonOverlappingAndDenseIndicator", 2, kAny, is_dense},
    {"OpaqueUnaryFn_sqrt math.sqrt", 1, 1, of_reals<std::sqrt>},
    {"log2", 1, 1, of_reals<std::log2>},
    {"exp", 1, 1, of_reals<std::exp>},
    {"log", 1, 2, logarithm},
    {"cos", 1, 1, of_reals<std::cos>},
    {"cosh", 1, 1, of_reals<std::cosh>},
    {"acos", 1, 1, of_reals<std::acos>},
    {"sin", 1, 1, of_reals<std::sin>},
    {"sinh", 1, 1, of_reals<std::sinh>},
    {"asin", 1, 1, of_reals<std::asin>},
    {"asinh", 1, 1, of_reals<std::asinh>},
    {"tan", 1, 1, of_reals<std::tan>},
    {"tanh", 1, 1, of_reals<std::tanh>},
    {"atan", 1, 1, of_reals<std::atan>},
};

const Function* find_function(std::string_view name) {
  constexpr std::string_view kOpaque = "OpaqueUnaryFn_";
  const std::string_view inner = starts_with(name, kOpaque) ? name.substr(kOpaque.size()) : name;
  const Function* found = nullptr;
  for (const Function& function : kFunctions) {
    if (has_word(function.names, name)) return &function;
    if (has_word(function.names, inner)) found = &function;
  }
  return found;
}

Evaluated evaluated_term(const Expression& term, const Bindings& bindings);

Evaluated constant_value(const Expression& term) {
  const bool is_negative = term.text[0] == '-';
  const std::string_view name = std::string_view(term.text).substr(is_negative ? 1 : 0);
  const double sign = is_negative ? -1 : 1;
  if (name == "oo" || name == "int_oo") return real_value(sign * kInfinity);
  if (name == "pi") return real_value(sign * 3.14159265358979323846);
  if (name == "E") return real_value(sign * 2.71828182845904523536);
  if (name == "true" || name == "True") return truth(true);
  if (name == "false" || name == "False") return truth(false);
  Call{term, {}}.fail("not a real number");
}

std::int64_t digits_of(const Call& call, std::size_t i) {
  return call.fitting(integer_of_text(call.expression.operands[i].text));
}

Evaluated float_value(const Call& call) {
  const std::string& text = call.expression.operands[0].text;
  double number = 0;
  const auto [end, error] = schemagen::parse_float(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) call.fail("expected a number");
  return call.checked(number);
}

/// Calls whose operands are not all evaluated.
std::optional<Evaluated> chosen_value(const Call& call, const Bindings& bindings) {
  const std::vector<Expression>& operands = call.expression.operands;
  const std::string& head = call.expression.text;
  const auto is_true = [&](const Expression& term) {
    return Call{call.expression, {evaluated_term(term, bindings)}}.boolean(0);
  };
  if (head == "And") return truth(std::all_of(operands.begin(), operands.end(), is_true));
  if (head == "Or") return truth(std::any_of(operands.begin(), operands.end(), is_true));
  if (head == "Where" || head == "ITE") {
    if (operands.size() != 3) call.fail("expected 3 operands");
    return evaluated_term(is_true(operands[0]) ? operands[1] : operands[2], bindings);
  }
  if (head != "Piecewise") return std::nullopt;
  for (const Expression& piece : operands) {
    if (piece.operands.size() != 2) call.fail("expected pairs");
    if (is_true(piece.operands[1])) return evaluated_term(piece.operands[0], bindings);
  }
  call.fail("no condition holds");
}

Evaluated function_value(const Expression& term, const Bindings& bindings) {
  Call call{term, {}};
  const Function* const function = find_function(term.text);
  if (function == nullptr) call.fail("unknown function " + schemagen::quoted(term.text));
  if (term.operands.size() < function->least || term.operands.size() > function->most) {
    call.fail("wrong number of operands");
  }
  const bool takes_truths = starts_with(term.text, "BitwiseFn_") || term.text == "Not" ||
                            term.text == "Xor" || term.text == "Equality" || term.text == "Unequality";
  for (const Expression& operand : term.operands) {
    call.operands.push_back(evaluated_term(operand, bindings));
    if (!takes_truths && call.operands.back().kind == Evaluated::Kind::boolean)
      call.fail("expected a number, got a bool");
  }
  return function->apply(call);
}

Evaluated evaluated_term(const Expression& term, const Bindings& bindings) {
  if (term.kind == Expression::Kind::constant) return constant_value(term);
  const Call call{term, {}};
  if (term.kind != Expression::Kind::call) call.fail("expected an expression");
  if (term.is_call("Symbol")) {
    const std::int64_t* const bound = bindings.find(term.symbol());
    if (bound == nullptr) call.fail("no value for the symbol");
    return whole(*bound);
  }
  if (term.is_call("Integer")) return whole(digits_of(call, 0));
  if (term.is_call("Rational")) return call.fraction(digits_of(call, 0), digits_of(call, 1));
  if (term.is_call("Float")) return float_value(call);
  if (const auto chosen = chosen_value(call, bindings)) return *chosen;
  return function_value(term, bindings);
}

}  // namespace

std::string ExpressionValue::text() const {
  switch (kind) {
    case Evaluated::Kind::boolean:
      return bool_literal(numerator != 0);
    case Evaluated::Kind::integer:
      return std::to_string(numerator);
    case Evaluated::Kind::rational:
      return std::to_string(numerator) + "/" + std::to_string(denominator);
    case Evaluated::Kind::real:
      break;
  }
  return float_literal(real);
}

ExpressionValue evaluate(const Expression& expression, const Bindings& bindings) {
  return evaluated_term(expression, bindings);
}

}  // namespace pt2
