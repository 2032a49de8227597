#include "pt2/strings/expression_value.h"

#include <algorithm>
#include <iterator>
#include <system_error>

#include "pt2/text/affix.h"
#include "pt2/text/join.h"
#include "pt2/text/literal.h"
#include "schemagen/base/error.h"
#include "schemagen/base/float_chars.h"

namespace pt2 {
namespace {

struct Text {
  std::string text;
  int binding;
};

const BinaryOperator* printed_operator(const Expression& call) {
  const auto* const found = std::find_if(std::begin(kBinaryOperators), std::end(kBinaryOperators),
                                         [&](const BinaryOperator& each) { return each.head == call.text; });
  return found == std::end(kBinaryOperators) ? nullptr : found;
}

Text print(const Expression& term);

int tighter(Binding binding) {
  // Signed numbers as well: `a + -3 % b` would become `a - 3 % b`.
  return binding == kMultiplicativeBinding ? kPowerBinding : binding + 1;
}

std::string print_bracketed(const Expression& term, int least) {
  const Text text = print(term);
  return text.binding >= least ? text.text : "(" + text.text + ")";
}

std::string print_list(const std::vector<Expression>& terms, const std::string& separator, int least) {
  return join_texts(terms, separator, [&](const Expression& term) {
    return (term.keyword.empty() ? "" : term.keyword + "=") + print_bracketed(term, least);
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
  return {std::string(head) + "(" + print_list(term.operands, ", ", kLogicalOrBinding) + ")", kAtomBinding};
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
  const BinaryOperator* const op = printed_operator(term);
  if (op != nullptr && (count == 2 || (count > 2 && op->binding <= kLogicalAndBinding))) {
    const bool is_tight = op->sign == "//" || op->sign == "/" || op->sign == "**";
    const std::string sign = is_tight ? std::string(op->sign) : " " + std::string(op->sign) + " ";
    // For clarity: `(2*s0)//4`.
    return {print_list(term.operands, sign, tighter(op->binding)), op->binding};
  }
  return print_function(term);
}

Text print(const Expression& term) {
  if (term.kind == Expression::Kind::call) return print_call(term);
  return signed_number(term.text);
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

}  // namespace pt2
