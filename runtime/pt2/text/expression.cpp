#include "pt2/text/expression.h"

#include <charconv>
#include <cstddef>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "pt2/text/identifier.h"
#include "pt2/text/literal.h"

namespace pt2 {
namespace {

constexpr std::size_t kDeepest = 200;
constexpr std::size_t kLongest = std::size_t{64} << 10;  // bytes; also bounds the time for copies of parts

// ---- srepr, parsed ----

/// A part of an srepr.
struct Term {
  enum class Kind {
    call,      // Head(arguments)
    constant,  // a name without arguments, e.g. oo
    number,    // only inside of Integer(...), Rational(...) and keyword arguments
    string,    // only inside of Symbol(...) and Float(...)
  };
  Kind kind = Kind::constant;
  std::string text;  // head, name, digits, or the string without its quotes
  std::vector<Term> arguments;
  std::string keyword;  // `precision` of `precision=53`; empty: positional
};

/// Constants of sympy and PyTorch whose srepr has no brackets. Any other bare name is a variable of plain
/// text.
bool is_constant(std::string_view name) {
  for (const std::string_view constant :
       {"oo", "int_oo", "zoo", "nan", "pi", "E", "I", "true", "false", "True", "False", "None"}) {
    if (name == constant) return true;
  }
  return false;
}

/// Reads an srepr; nullopt from any function: it is none.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::optional<Term> parse() {
    std::optional<Term> term = parse_term(0);
    return at_ == text_.size() ? std::move(term) : std::nullopt;
  }

 private:
  bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  std::string_view take_name() {
    const std::size_t start = at_;
    while (is_letter(peek()) || (at_ > start && is_digit(peek()))) ++at_;
    return text_.substr(start, at_ - start);
  }

  std::optional<Term> parse_term(std::size_t depth) {
    if (depth > kDeepest) return std::nullopt;
    if (peek() == '\'' || peek() == '"') return parse_string();
    const std::size_t start = at_;
    const bool is_negative = take('-');
    if (is_digit(peek())) return parse_number(start);
    const std::string_view name = take_name();
    if (!is_negative && take('(')) return parse_arguments(name, depth);
    if (!is_constant(name)) return std::nullopt;
    Term term;
    term.text = text_.substr(start, at_ - start);
    return term;
  }

  std::optional<Term> parse_string() {
    const char quote = text_[at_++];
    Term term;
    term.kind = Term::Kind::string;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '\\') ++at_;  // of a quote or another backslash; names have no other escapes
      if (at_ < text_.size()) term.text += text_[at_++];
    }
    if (!take(quote)) return std::nullopt;
    return term;
  }

  std::optional<Term> parse_number(std::size_t start) {
    while (is_digit(peek())) ++at_;
    Term term;
    term.kind = Term::Kind::number;
    term.text = text_.substr(start, at_ - start);
    return term;
  }

  std::optional<Term> parse_arguments(std::string_view head, std::size_t depth) {
    if (head.empty()) return std::nullopt;
    Term call;
    call.kind = Term::Kind::call;
    call.text = head;
    if (take(')')) return call;
    do {
      while (take(' ')) {
      }
      const std::string keyword = take_keyword();
      std::optional<Term> argument = parse_term(depth + 1);
      if (!argument) return std::nullopt;
      argument->keyword = keyword;
      call.arguments.push_back(*std::move(argument));
    } while (take(','));
    if (!take(')')) return std::nullopt;
    return call;
  }

  /// `name=`; nothing is taken where there is none.
  std::string take_keyword() {
    const std::size_t start = at_;
    const std::string_view name = take_name();
    if (!name.empty() && take('=')) return std::string(name);
    at_ = start;
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// ---- and printed ----

/// How tightly the outermost operator of a text binds, as in Python.
enum Binding { kRelation, kOr, kXor, kAnd, kShift, kAdditive, kMultiplicative, kSign, kPower, kAtom };

struct Text {
  std::string text;
  Binding binding = kAtom;
};

struct Operator {
  std::string_view head;
  std::string_view sign;
  Binding binding;
};
constexpr Operator kBinaryOperators[] = {
    {"Equality", " == ", kRelation},
    {"Unequality", " != ", kRelation},
    {"GreaterThan", " >= ", kRelation},
    {"LessThan", " <= ", kRelation},
    {"StrictGreaterThan", " > ", kRelation},
    {"StrictLessThan", " < ", kRelation},
    {"FloorDiv", "//", kMultiplicative},
    {"CleanDiv", "//", kMultiplicative},
    {"Mod", " % ", kMultiplicative},
    {"PythonMod", " % ", kMultiplicative},
    {"IntTrueDiv", "/", kMultiplicative},
    {"FloatTrueDiv", "/", kMultiplicative},
    {"PowByNatural", "**", kPower},
    {"FloatPow", "**", kPower},
    {"LShift", " << ", kShift},
    {"RShift", " >> ", kShift},
    {"BitwiseFn_bitwise_and", " & ", kAnd},
    {"BitwiseFn_bitwise_or", " | ", kOr},
    {"BitwiseFn_bitwise_xor", " ^ ", kXor},
};

std::optional<Text> print(const Term& term);

Binding tighter(Binding binding) {
  return static_cast<Binding>(static_cast<int>(binding) + 1);
}

/// `text`, in brackets if it binds less tightly than `least`.
std::string bracketed(const Text& text, Binding least) {
  return text.binding >= least ? text.text : "(" + text.text + ")";
}

std::optional<std::string> print_bracketed(const Term& term, Binding least) {
  const std::optional<Text> text = print(term);
  return text ? std::optional(bracketed(*text, least)) : std::nullopt;
}

/// The digits of `Integer(4)`; null for all else.
const std::string* integer_digits(const Term& term) {
  const bool is_integer = term.kind == Term::Kind::call && term.text == "Integer" &&
                          term.arguments.size() == 1 && term.arguments[0].kind == Term::Kind::number;
  return is_integer ? &term.arguments[0].text : nullptr;
}

bool has_two_numbers(const Term& term) {
  return term.arguments.size() == 2 && term.arguments[0].kind == Term::Kind::number &&
         term.arguments[1].kind == Term::Kind::number;
}

std::optional<Text> print_float(const Term& term) {
  if (term.arguments.empty() || term.arguments[0].kind != Term::Kind::string) return std::nullopt;
  const std::string& digits = term.arguments[0].text;
  // Its 17 digits are those of a double, which can be told in fewer.
  double value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, value);
  const bool is_double = error == std::errc() && rest == end;
  return Text{is_double ? float_literal(value) : digits, digits[0] == '-' ? kSign : kAtom};
}

/// Symbol, Integer, Rational and Float: those whose arguments are no expressions.
std::optional<Text> print_leaf(const Term& term) {
  if (term.text == "Float") return print_float(term);
  if (term.text == "Symbol") {
    if (term.arguments.empty() || term.arguments[0].kind != Term::Kind::string) return std::nullopt;
    return Text{term.arguments[0].text, kAtom};
  }
  if (const std::string* digits = integer_digits(term)) {
    return Text{*digits, (*digits)[0] == '-' ? kSign : kAtom};
  }
  if (term.text == "Rational" && has_two_numbers(term)) {
    return Text{term.arguments[0].text + "/" + term.arguments[1].text, kMultiplicative};
  }
  return std::nullopt;
}

bool is_leaf(const Term& term) {
  return term.text == "Symbol" || term.text == "Integer" || term.text == "Rational" || term.text == "Float";
}

std::optional<Text> print_sum(const Term& term) {
  std::string sum;
  for (const Term& argument : term.arguments) {
    const std::optional<std::string> text = print_bracketed(argument, kMultiplicative);
    if (!text) return std::nullopt;
    if (sum.empty()) {
      sum = *text;
    } else {
      sum += (*text)[0] == '-' ? " - " + text->substr(1) : " + " + *text;
    }
  }
  return Text{std::move(sum), kAdditive};
}

/// A product in the making: sign, factors above and below the line.
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
};

std::string joined(const std::vector<std::string>& factors) {
  std::string text;
  for (const std::string& factor : factors) text += (text.empty() ? "" : "*") + factor;
  return text;
}

/// The base and the text of `-exponent` of a power whose exponent is a negative integer.
std::optional<std::pair<const Term*, std::string>> inverse_power(const Term& term) {
  if (term.kind != Term::Kind::call || term.text != "Pow" || term.arguments.size() != 2) return std::nullopt;
  const std::string* const exponent = integer_digits(term.arguments[1]);
  if (exponent == nullptr || (*exponent)[0] != '-') return std::nullopt;
  return std::pair(&term.arguments[0], exponent->substr(1));
}

/// `base**exponent`; false: no srepr.
bool append_power(std::vector<std::string>& factors, const Term& base, const std::string& exponent) {
  const bool is_first_power = exponent == "1";
  std::optional<std::string> text = print_bracketed(base, is_first_power ? kPower : kAtom);
  if (!text) return false;
  factors.push_back(is_first_power ? *std::move(text) : *text + "**" + exponent);
  return true;
}

bool multiply(Product& product, const Term& factor) {
  if (const std::string* digits = integer_digits(factor)) {
    product.multiply(*digits);
    return true;
  }
  if (factor.kind == Term::Kind::call && factor.text == "Rational" && has_two_numbers(factor)) {
    product.multiply(factor.arguments[0].text);
    product.below.push_back(factor.arguments[1].text);
    return true;
  }
  if (const auto inverse = inverse_power(factor)) {
    return append_power(product.below, *inverse->first, inverse->second);
  }
  return append_power(product.above, factor, "1");
}

std::optional<Text> print_product(const std::vector<const Term*>& factors) {
  Product product;
  for (const Term* factor : factors) {
    if (!multiply(product, *factor)) return std::nullopt;
  }
  const std::string sign = product.is_negative ? "-" : "";
  const std::string above = product.above.empty() ? "1" : joined(product.above);
  if (product.below.empty()) {
    const Binding of_one = product.is_negative ? kSign : kPower;
    return Text{sign + above, product.above.size() > 1 ? kMultiplicative : of_one};
  }
  const std::string below = joined(product.below);
  return Text{sign + above + "/" + (product.below.size() > 1 ? "(" + below + ")" : below), kMultiplicative};
}

bool is_one_half(const Term& term) {
  return term.kind == Term::Kind::call && term.text == "Rational" && has_two_numbers(term) &&
         term.arguments[0].text == "1" && term.arguments[1].text == "2";
}

std::optional<Text> print_power(const Term& term) {
  if (term.arguments.size() != 2) return std::nullopt;
  if (inverse_power(term)) return print_product({&term});
  if (is_one_half(term.arguments[1])) {
    const std::optional<Text> radicand = print(term.arguments[0]);
    return radicand ? std::optional(Text{"sqrt(" + radicand->text + ")", kAtom}) : std::nullopt;
  }
  const std::optional<std::string> exponent = print_bracketed(term.arguments[1], kPower);
  std::vector<std::string> power;
  if (!exponent || !append_power(power, term.arguments[0], *exponent)) return std::nullopt;
  return Text{power[0], kPower};
}

std::optional<Text> print_operator(const Term& term, const Operator& op) {
  // Both sides are bracketed where their operator is of the same kind: `(2*s0)//4` is clear, `2*s0//4` is
  // not.
  const std::optional<std::string> left = print_bracketed(term.arguments[0], tighter(op.binding));
  const std::optional<std::string> right = print_bracketed(term.arguments[1], tighter(op.binding));
  if (!left || !right) return std::nullopt;
  return Text{*left + std::string(op.sign) + *right, op.binding};
}

std::optional<Text> print_function(const Term& term) {
  constexpr std::string_view kOpaque = "OpaqueUnaryFn_";  // PyTorch's prefix of sqrt, cos and others
  std::string_view head = term.text;
  if (head.substr(0, kOpaque.size()) == kOpaque) head.remove_prefix(kOpaque.size());
  std::string text = std::string(head) + "(";
  for (const Term& argument : term.arguments) {
    const std::optional<Text> inner = print(argument);
    if (!inner) return std::nullopt;
    if (&argument != &term.arguments.front()) text += ", ";
    text += (argument.keyword.empty() ? "" : argument.keyword + "=") + inner->text;
  }
  return Text{text + ")", kAtom};
}

/// nullopt: the term is none that srepr writes.
std::optional<Text> print(const Term& term) {
  if (term.kind == Term::Kind::constant) return Text{term.text, term.text[0] == '-' ? kSign : kAtom};
  if (term.kind != Term::Kind::call) return std::nullopt;
  if (is_leaf(term)) return print_leaf(term);
  if (term.text == "Add" && !term.arguments.empty()) return print_sum(term);
  if (term.text == "Pow") return print_power(term);
  if (term.text == "Mul") {
    std::vector<const Term*> factors;
    for (const Term& argument : term.arguments) factors.push_back(&argument);
    return print_product(factors);
  }
  for (const Operator& op : kBinaryOperators) {
    if (term.text == op.head && term.arguments.size() == 2) return print_operator(term, op);
  }
  return print_function(term);
}

}  // namespace

std::string expression_text(std::string_view expression) {
  if (expression.empty() || expression.size() > kLongest) return printable(expression);
  const std::optional<Term> term = Parser(expression).parse();
  const std::optional<Text> text = term ? print(*term) : std::nullopt;
  return printable(text ? text->text : expression);
}

}  // namespace pt2
