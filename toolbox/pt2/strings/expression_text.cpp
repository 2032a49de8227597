#include "pt2/strings/expression_value.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <system_error>

#include "pt2/text/affix.h"
#include "pt2/text/join.h"
#include "pt2/text/literal.h"
#include "schemagen/base/error.h"
#include "schemagen/base/float_chars.h"

namespace pt2 {
namespace {

enum Binding {
  kLogicalOrBinding,
  kLogicalAndBinding,
  kLogicalNotBinding,
  kRelationBinding,
  kOrBinding,
  kXorBinding,
  kAndBinding,
  kShiftBinding,
  kAdditiveBinding,
  kMultiplicativeBinding,
  kSignBinding,
  kPowerBinding,
  kAtomBinding
};

/// sympy's precedences, which determine brackets in guards.
enum CodePrecedence {
  kNoPrecedence = 0,
  kOrPrecedence = 20,
  kAndPrecedence = 30,
  kRelationPrecedence = 35,
  kBitwiseOrPrecedence = 36,
  kBitwiseXorPrecedence = 37,
  kBitwiseAndPrecedence = 38,
  kAddPrecedence = 40,
  kMulPrecedence = 50,
  kPowPrecedence = 60,
  kFunctionPrecedence = 70,
  kNotPrecedence = 100,
  kNearAtomPrecedence = 999,
  kAtomPrecedence = 1000
};

struct Text {
  std::string text;
  int binding;
};

struct PrintedOperator {
  std::string_view head;
  std::string_view sign;
  Binding binding;
  CodePrecedence in_guards;  // kNoPrecedence if torch's guards have the function instead
  CodePrecedence operands_in_guards;
};
constexpr PrintedOperator kPrintedOperators[] = {
    {"Or", "or", kLogicalOrBinding, kOrPrecedence, kOrPrecedence},
    {"And", "and", kLogicalAndBinding, kAndPrecedence, kAndPrecedence},
    {"Equality", "==", kRelationBinding, kMulPrecedence, kMulPrecedence},
    {"Unequality", "!=", kRelationBinding, kMulPrecedence, kMulPrecedence},
    {"GreaterThan", ">=", kRelationBinding, kRelationPrecedence, kRelationPrecedence},
    {"LessThan", "<=", kRelationBinding, kRelationPrecedence, kRelationPrecedence},
    {"StrictGreaterThan", ">", kRelationBinding, kRelationPrecedence, kRelationPrecedence},
    {"StrictLessThan", "<", kRelationBinding, kRelationPrecedence, kRelationPrecedence},
    {"BitwiseFn_bitwise_or", "|", kOrBinding, kBitwiseOrPrecedence, kBitwiseOrPrecedence},
    {"BitwiseFn_bitwise_xor", "^", kXorBinding, kBitwiseXorPrecedence, kBitwiseXorPrecedence},
    {"BitwiseFn_bitwise_and", "&", kAndBinding, kBitwiseAndPrecedence, kBitwiseAndPrecedence},
    {"LShift", "<<", kShiftBinding, kNoPrecedence, kNoPrecedence},
    {"RShift", ">>", kShiftBinding, kNoPrecedence, kNoPrecedence},
    {"Add", "+", kAdditiveBinding, kAddPrecedence, kAddPrecedence},
    {"FloorDiv", "//", kMultiplicativeBinding, kRelationPrecedence, kNearAtomPrecedence},
    {"CleanDiv", "//", kMultiplicativeBinding, kRelationPrecedence, kNearAtomPrecedence},
    {"Mod", "%", kMultiplicativeBinding, kRelationPrecedence, kNearAtomPrecedence},
    {"PythonMod", "%", kMultiplicativeBinding, kRelationPrecedence, kNearAtomPrecedence},
    {"IntTrueDiv", "/", kMultiplicativeBinding, kRelationPrecedence, kNearAtomPrecedence},
    {"FloatTrueDiv", "/", kMultiplicativeBinding, kNoPrecedence, kNoPrecedence},
    {"Pow", "**", kPowerBinding, kMulPrecedence, kPowPrecedence},
    {"PowByNatural", "**", kPowerBinding, kMulPrecedence, kPowPrecedence},
    {"FloatPow", "**", kPowerBinding, kNoPrecedence, kNoPrecedence},
};

const PrintedOperator* printed_operator(const Expression& call) {
  const auto* const found =
      std::find_if(std::begin(kPrintedOperators), std::end(kPrintedOperators),
                   [&](const PrintedOperator& each) { return call.is_call(each.head); });
  return found == std::end(kPrintedOperators) ? nullptr : found;
}

using Print = Text (*)(const Expression& term);
Text print(const Expression& term);
Text print_code(const Expression& term);

int tighter(Binding binding) {
  // Signed numbers as well: `a + -3 % b` would become `a - 3 % b`.
  return binding == kMultiplicativeBinding ? kPowerBinding : binding + 1;
}

std::string bracketed(const Text& text, int least) {
  return text.binding >= least ? text.text : "(" + text.text + ")";
}

std::string print_bracketed(const Expression& term, int least) {
  return bracketed(print(term), least);
}

std::string print_list(const std::vector<Expression>& terms, const std::string& separator, int least,
                       Print print_term) {
  return join_texts(terms, separator, [&](const Expression& term) {
    return (term.keyword.empty() ? "" : term.keyword + "=") + bracketed(print_term(term), least);
  });
}

Text signed_number(std::string digits) {
  const Binding binding = digits[0] == '-' ? kSignBinding : kAtomBinding;
  return {std::move(digits), binding};
}

std::string float_text(const std::string& digits) {
  double value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [rest, error] = schemagen::parse_float(digits.data(), end, value);
  return error == std::errc() && rest == end ? float_literal(value) : digits;
}

Text print_sum(const Expression& term) {
  std::string sum;
  for (const Expression& operand : term.operands) {
    const std::string text = print_bracketed(operand, kMultiplicativeBinding);
    if (sum.empty()) {
      sum = text;
    } else {
      sum += text[0] == '-' ? " - " + text.substr(1) : " + " + text;
    }
  }
  return {std::move(sum), kAdditiveBinding};
}

std::string power(const Expression& base, const std::string& exponent) {
  return exponent == "1" ? print_bracketed(base, kPowerBinding)
                         : print_bracketed(base, kAtomBinding) + "**" + exponent;
}

struct Product {
  bool is_negative = false;
  std::vector<std::string> above;
  std::vector<std::string> below;

  void multiply(std::string digits) {
    if (digits[0] == '-') {
      is_negative = !is_negative;
      digits.erase(0, 1);
    }
    if (digits != "1") above.push_back(std::move(digits));
  }

  void multiply(const Expression& factor) {
    if (const std::string* digits = factor.integer()) {
      multiply(*digits);
    } else if (factor.is_call("Rational")) {
      multiply(factor.operands[0].text);
      below.push_back(factor.operands[1].text);
    } else if (const auto inverse = inverse_power(factor)) {
      below.push_back(power(*inverse->first, inverse->second));
    } else {
      above.push_back(power(factor, "1"));
    }
  }

  static std::optional<std::pair<const Expression*, std::string>> inverse_power(const Expression& term) {
    if (!term.is_call("Pow") || term.operands.size() != 2) return std::nullopt;
    const std::string* const exponent = term.operands[1].integer();
    if (exponent == nullptr || (*exponent)[0] != '-') return std::nullopt;
    return std::pair(&term.operands[0], exponent->substr(1));
  }

  Text text() const {
    const std::string sign = is_negative ? "-" : "";
    const std::string numerator = above.empty() ? "1" : join_texts(above, "*");
    if (below.empty()) {
      const Binding of_one = is_negative ? kSignBinding : kPowerBinding;
      return {sign + numerator, above.size() > 1 ? kMultiplicativeBinding : of_one};
    }
    const std::string denominator = join_texts(below, "*");
    return {sign + numerator + "/" + (below.size() > 1 ? "(" + denominator + ")" : denominator),
            kMultiplicativeBinding};
  }
};

Text print_product(const Expression* factors, std::size_t count) {
  Product product;
  for (std::size_t i = 0; i < count; ++i) product.multiply(factors[i]);
  return product.text();
}

Text print_power(const Expression& term) {
  const Expression& exponent = term.operands[1];
  if (Product::inverse_power(term)) return print_product(&term, 1);
  const bool is_root =
      exponent.is_call("Rational") && exponent.operands[0].text == "1" && exponent.operands[1].text == "2";
  if (is_root) return {"sqrt(" + print(term.operands[0]).text + ")", kAtomBinding};
  return {power(term.operands[0], print_bracketed(exponent, kPowerBinding)), kPowerBinding};
}

Text print_function(const Expression& term) {
  constexpr std::string_view kOpaque = "OpaqueUnaryFn_";  // PyTorch's prefix of sqrt, cos and others
  std::string_view head = term.text;
  if (starts_with(head, kOpaque)) head.remove_prefix(kOpaque.size());
  if (head == "Tuple" || head == "ExprCondPair") head = {};
  return {std::string(head) + "(" + print_list(term.operands, ", ", kLogicalOrBinding, print) + ")",
          kAtomBinding};
}

Text print_call(const Expression& term) {
  const std::size_t count = term.operands.size();
  if (term.is_call("Symbol")) return {term.operands[0].text, kAtomBinding};
  if (const std::string* digits = term.integer()) return signed_number(*digits);
  if (term.is_call("Float")) return signed_number(float_text(term.operands[0].text));
  if (term.is_call("Rational")) {
    return {term.operands[0].text + "/" + term.operands[1].text, kMultiplicativeBinding};
  }
  if (term.is_call("Add") && count > 0) return print_sum(term);
  if (term.is_call("Mul")) return print_product(term.operands.data(), count);
  if (term.is_call("Pow") && count == 2) return print_power(term);
  if (term.is_call("Not") && count == 1) {
    return {"not " + print_bracketed(term.operands[0], kLogicalNotBinding), kLogicalNotBinding};
  }
  const PrintedOperator* const op = printed_operator(term);
  if (op != nullptr && (count == 2 || (count > 2 && op->binding <= kLogicalAndBinding))) {
    const bool is_tight = op->sign == "//" || op->sign == "/" || op->sign == "**";
    const std::string sign = is_tight ? std::string(op->sign) : " " + std::string(op->sign) + " ";
    // For clarity: `(2*s0)//4`.
    return {print_list(term.operands, sign, tighter(op->binding), print), op->binding};
  }
  return print_function(term);
}

Text print(const Expression& term) {
  if (term.kind == Expression::Kind::call) return print_call(term);
  return signed_number(term.text);
}

constexpr std::size_t kLongestPower = 4096;

const std::string* integer_exponent(const Expression& term) {
  return term.is_call("Pow") && term.operands.size() == 2 ? term.operands[1].integer() : nullptr;
}

Text product_code(const Expression& term) {
  const std::vector<Expression>& factors = term.operands;
  const std::string* const exponent = integer_exponent(factors.back());
  if (factors.size() == 2 && exponent != nullptr && *exponent == "-1") {
    const std::string* const numerator = factors[0].integer();
    const std::string* const denominator = factors.back().operands[0].integer();
    if (numerator != nullptr && denominator != nullptr) {
      return {*numerator + "/" + *denominator, (*numerator)[0] == '-' ? kAddPrecedence : kMulPrecedence};
    }
    const std::string divisor = bracketed(print_code(factors.back().operands[0]), kAtomPrecedence);
    return {bracketed(print_code(factors[0]), kAtomPrecedence) + " / " + divisor, kRelationPrecedence};
  }
  const std::string* const first = factors[0].integer();
  const int level = first != nullptr && (*first)[0] == '-' ? kAddPrecedence : kMulPrecedence;
  // sympy turns equal factors into a power.
  const std::string base = srepr(factors[0]);
  const bool is_power =
      factors.size() > 1 && std::all_of(factors.begin(), factors.end(),
                                        [&](const Expression& factor) { return srepr(factor) == base; });
  return {print_list(factors, "*", level + 1, print_code), is_power ? int{kPowPrecedence} : level};
}

/// sympy turns products of equal factors into powers; torch spells them out.
Text power_code(const Expression& base, const std::string& exponent) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(exponent.data(), exponent.data() + exponent.size(), count);
  const Text printed = print_code(base);  // once: powers may be nested
  const std::string factor = bracketed(printed, kMulPrecedence + 1);
  if (error != std::errc() || *end != '\0' || count > kLongestPower / factor.size()) {
    return {bracketed(printed, kPowPrecedence + 1) + " ** " + exponent, kMulPrecedence};
  }
  std::string text = count == 0 ? "1" : factor;
  for (std::size_t i = 1; i < count; ++i) text += "*" + factor;
  return {std::move(text), kPowPrecedence};
}

Text call_code(const Expression& term) {
  if (!term.symbol().empty()) return {std::string(term.symbol()), kAtomPrecedence};
  if (term.is_call("Integer") || term.is_call("Float")) {
    const std::string& digits = term.operands[0].text;
    return {digits, digits[0] == '-' ? kAddPrecedence : kAtomPrecedence};
  }
  const std::size_t count = term.operands.size();
  if (const std::string* const exponent = integer_exponent(term))
    return power_code(term.operands[0], *exponent);
  if (term.is_call("Not") && count == 1)
    return {"not (" + print_code(term.operands[0]).text + ")", kNotPrecedence};
  if (term.is_call("Mul") && count > 0) return product_code(term);
  const PrintedOperator* const op = printed_operator(term);
  if (op != nullptr && op->in_guards != kNoPrecedence && count > 1) {
    return {
        print_list(term.operands, " " + std::string(op->sign) + " ", op->operands_in_guards + 1, print_code),
        op->in_guards};
  }
  return {term.text + "(" + print_list(term.operands, ", ", kNoPrecedence, print_code) + ")",
          term.is_call("Where") ? kRelationPrecedence : kFunctionPrecedence};
}

Text print_code(const Expression& term) {
  if (term.kind == Expression::Kind::call) return call_code(term);
  return {term.text, !term.text.empty() && term.text[0] == '-' ? kAddPrecedence : kAtomPrecedence};
}

void add_terms(Expression condition, std::vector<Expression>& terms) {
  if (!condition.is_call("And")) return terms.push_back(std::move(condition));
  for (Expression& operand : condition.operands) add_terms(std::move(operand), terms);
}

}  // namespace

std::string expression_text(const Expression& expression) {
  return printable(print(expression).text);
}

std::string expression_text(std::string_view expression) {
  try {
    return expression_text(parse_expression(expression));
  } catch (const schemagen::DataError&) {
    return printable(expression);
  }
}

std::string guard_text(const Expression& condition) {
  return print_code(condition).text;
}

std::string guard_text(const Guard& guard) {
  if (guard.terms.empty()) return guard.text;
  return guard.terms.size() == 1 ? guard_text(guard.terms[0])
                                 : print_list(guard.terms, " and ", kAndPrecedence + 1, print_code);
}

Guard read_guard(std::string text) {
  Guard guard;
  guard.text = std::move(text);
  try {
    Expression condition = parse_expression(guard.text);
    for_each_symbol(condition, [&](std::string_view name) {
      const bool is_new = std::find(guard.names.begin(), guard.names.end(), name) == guard.names.end();
      if (is_new) guard.names.emplace_back(name);
    });
    add_terms(std::move(condition), guard.terms);
  } catch (const schemagen::DataError& error) {
    guard.error = error.what();
  }
  return guard;
}

}  // namespace pt2
