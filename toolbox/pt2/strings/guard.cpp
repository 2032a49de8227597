#include "pt2/strings/expression_value.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "schemagen/base/error.h"

namespace pt2 {
namespace {

void add_terms(Expression condition, std::vector<Expression>& terms) {
  if (!condition.is_call("And")) return terms.push_back(std::move(condition));
  for (Expression& operand : condition.operands) add_terms(std::move(operand), terms);
}

constexpr std::size_t kLongestPower = 4096;

/// sympy's precedences, which determine brackets.
enum CodePrecedence {
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

struct Infix {
  std::string_view head;
  std::string_view sign;
  CodePrecedence self;
  CodePrecedence operands;
};
constexpr Infix kInfixes[] = {
    {"Or", " or ", kOrPrecedence, kOrPrecedence},
    {"And", " and ", kAndPrecedence, kAndPrecedence},
    {"Equality", " == ", kMulPrecedence, kMulPrecedence},
    {"Unequality", " != ", kMulPrecedence, kMulPrecedence},
    {"GreaterThan", " >= ", kRelationPrecedence, kRelationPrecedence},
    {"LessThan", " <= ", kRelationPrecedence, kRelationPrecedence},
    {"StrictGreaterThan", " > ", kRelationPrecedence, kRelationPrecedence},
    {"StrictLessThan", " < ", kRelationPrecedence, kRelationPrecedence},
    {"BitwiseFn_bitwise_or", " | ", kBitwiseOrPrecedence, kBitwiseOrPrecedence},
    {"BitwiseFn_bitwise_xor", " ^ ", kBitwiseXorPrecedence, kBitwiseXorPrecedence},
    {"BitwiseFn_bitwise_and", " & ", kBitwiseAndPrecedence, kBitwiseAndPrecedence},
    {"Add", " + ", kAddPrecedence, kAddPrecedence},
    {"FloorDiv", " // ", kRelationPrecedence, kNearAtomPrecedence},
    {"CleanDiv", " // ", kRelationPrecedence, kNearAtomPrecedence},
    {"Mod", " % ", kRelationPrecedence, kNearAtomPrecedence},
    {"PythonMod", " % ", kRelationPrecedence, kNearAtomPrecedence},
    {"IntTrueDiv", " / ", kRelationPrecedence, kNearAtomPrecedence},
    {"PowByNatural", " ** ", kMulPrecedence, kPowPrecedence},
    {"Pow", " ** ", kMulPrecedence, kPowPrecedence},
};

struct PythonCode {
  std::string text;
  int precedence = kAtomPrecedence;
};

PythonCode code_of(const Expression& term);

std::string bracketed_code(const PythonCode& term, int level) {
  return term.precedence <= level ? "(" + term.text + ")" : term.text;
}
std::string bracketed_code(const Expression& term, int level) {
  return bracketed_code(code_of(term), level);
}

std::string joined_code(const std::vector<Expression>& operands, std::string_view separator, int level) {
  std::string text;
  for (const Expression& operand : operands) {
    if (&operand != &operands.front()) text += separator;
    text += bracketed_code(operand, level);
  }
  return text;
}

const std::string* integer_exponent(const Expression& term) {
  return term.is_call("Pow") && term.operands.size() == 2 ? term.operands[1].integer() : nullptr;
}

PythonCode product_code(const Expression& term) {
  const std::vector<Expression>& factors = term.operands;
  const std::string* const exponent = integer_exponent(factors.back());
  if (factors.size() == 2 && exponent != nullptr && *exponent == "-1") {
    const std::string* const numerator = factors[0].integer();
    const std::string* const denominator = factors.back().operands[0].integer();
    if (numerator != nullptr && denominator != nullptr) {
      return {*numerator + "/" + *denominator, (*numerator)[0] == '-' ? kAddPrecedence : kMulPrecedence};
    }
    const std::string divisor = bracketed_code(factors.back().operands[0], kNearAtomPrecedence);
    return {bracketed_code(factors[0], kNearAtomPrecedence) + " / " + divisor, kRelationPrecedence};
  }
  const std::string* const first = factors[0].integer();
  const int level = first != nullptr && (*first)[0] == '-' ? kAddPrecedence : kMulPrecedence;
  // sympy turns equal factors into a power.
  const std::string base = srepr(factors[0]);
  const bool is_power =
      factors.size() > 1 && std::all_of(factors.begin(), factors.end(),
                                        [&](const Expression& factor) { return srepr(factor) == base; });
  return {joined_code(factors, "*", level), is_power ? int{kPowPrecedence} : level};
}

/// sympy turns products of equal factors into powers; torch spells them out.
PythonCode power_code(const Expression& base, const std::string& exponent) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(exponent.data(), exponent.data() + exponent.size(), count);
  const PythonCode printed = code_of(base);  // once: powers may be nested
  const std::string factor = bracketed_code(printed, kMulPrecedence);
  if (error != std::errc() || *end != '\0' || count > kLongestPower / factor.size()) {
    return {bracketed_code(printed, kPowPrecedence) + " ** " + exponent, kMulPrecedence};
  }
  std::string text = count == 0 ? "1" : factor;
  for (std::size_t i = 1; i < count; ++i) text += "*" + factor;
  return {std::move(text), kPowPrecedence};
}

PythonCode call_code(const Expression& term) {
  if (!term.symbol().empty()) return {std::string(term.symbol())};
  if (term.is_call("Integer") || term.is_call("Float")) {
    const std::string& digits = term.operands[0].text;
    return {digits, digits[0] == '-' ? kAddPrecedence : kAtomPrecedence};
  }
  const std::size_t count = term.operands.size();
  if (const std::string* const exponent = integer_exponent(term))
    return power_code(term.operands[0], *exponent);
  if (term.is_call("Not") && count == 1)
    return {"not (" + code_of(term.operands[0]).text + ")", kNotPrecedence};
  if (term.is_call("Mul") && count > 0) return product_code(term);
  for (const Infix& infix : kInfixes) {
    if (term.is_call(infix.head) && count > 1)
      return {joined_code(term.operands, infix.sign, infix.operands), infix.self};
  }
  return {term.text + "(" + joined_code(term.operands, ", ", 0) + ")",
          term.is_call("Where") ? kRelationPrecedence : kFunctionPrecedence};
}

PythonCode code_of(const Expression& term) {
  if (term.kind == Expression::Kind::call) return call_code(term);
  return {term.text, !term.text.empty() && term.text[0] == '-' ? kAddPrecedence : kAtomPrecedence};
}

}  // namespace

std::string guard_text(const Expression& condition) {
  return code_of(condition).text;
}

std::string guard_text(const Guard& guard) {
  if (guard.terms.empty()) return guard.text;
  return guard.terms.size() == 1 ? guard_text(guard.terms[0])
                                 : joined_code(guard.terms, " and ", kAndPrecedence);
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
