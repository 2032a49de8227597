#include "pt2/strings/evaluated_text.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>

#include "pt2/text/affix.h"
#include "pt2/text/expression.h"
#include "pt2/text/python_name.h"
#include "pt2/text/tokens.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

constexpr std::string_view kDecimalDigits = "0123456789";

[[noreturn]] void cannot_evaluate(const std::string& reason) {
  throw schemagen::DataError(reason);
}

struct PrintedFunction {
  std::string_view name;
  std::size_t least;  // operands
  std::size_t most;
};
constexpr std::size_t kAnyNumber = static_cast<std::size_t>(-1);

/// What operators stand for once they are read, and what srepr calls them.
constexpr PrintedFunction kReadOperators[] = {
    {"Add", 0, kAnyNumber},
    {"Mul", 0, kAnyNumber},
    {"And", 0, kAnyNumber},
    {"Or", 0, kAnyNumber},
    {"Not", 1, 1},
    {"Pow", 2, 2},
    {"Equality", 2, 2},
    {"Unequality", 2, 2},
    {"GreaterThan", 2, 2},
    {"LessThan", 2, 2},
    {"StrictGreaterThan", 2, 2},
    {"StrictLessThan", 2, 2},
    {"FloorDiv", 2, 2},
    {"PythonMod", 2, 2},
    {"LShift", 2, 2},
    {"RShift", 2, 2},
    {"BitwiseFn_bitwise_and", 2, 2},
    {"BitwiseFn_bitwise_or", 2, 2},
    {"BitwiseFn_bitwise_xor", 2, 2},
    {"Where", 3, 3},
};

constexpr PrintedFunction kSympyFunctions[] = {
    {"Abs", 1, 1},
    {"CeilDiv", 2, 2},
    {"CeilToInt", 1, 1},
    {"CleanDiv", 2, 2},
    {"ExprCondPair", 2, 2},
    {"FloatPow", 2, 2},
    {"FloatTrueDiv", 2, 2},
    {"FloorToInt", 1, 1},
    {"ITE", 3, 3},
    {"Identity", 1, 1},
    {"IntTrueDiv", 2, 2},
    {"IsNonOverlappingAndDenseIndicator", 1, kAnyNumber},
    {"Max", 1, kAnyNumber},
    {"Min", 1, kAnyNumber},
    {"Mod", 2, 2},
    {"ModularIndexing", 3, 3},
    {"OpaqueUnaryFn_acos", 1, 1},
    {"OpaqueUnaryFn_asin", 1, 1},
    {"OpaqueUnaryFn_asinh", 1, 1},
    {"OpaqueUnaryFn_atan", 1, 1},
    {"OpaqueUnaryFn_cos", 1, 1},
    {"OpaqueUnaryFn_cosh", 1, 1},
    {"OpaqueUnaryFn_exp", 1, 1},
    {"OpaqueUnaryFn_log", 1, 1},
    {"OpaqueUnaryFn_log2", 1, 1},
    {"OpaqueUnaryFn_sin", 1, 1},
    {"OpaqueUnaryFn_sinh", 1, 1},
    {"OpaqueUnaryFn_sqrt", 1, 1},
    {"OpaqueUnaryFn_tan", 1, 1},
    {"OpaqueUnaryFn_tanh", 1, 1},
    {"Piecewise", 1, kAnyNumber},
    {"PowByNatural", 2, 2},
    {"RoundDecimal", 2, 2},
    {"RoundToInt", 1, 1},
    {"ToFloat", 1, 1},
    {"TruncToFloat", 1, 1},
    {"TruncToInt", 1, 1},
    {"Tuple", 2, 2},  // `(value, condition)` of a Piecewise
    {"ceiling", 1, 1},
    {"floor", 1, 1},
    {"sqrt", 1, 1},
};

constexpr PrintedFunction kGuardFunctions[] = {
    {"IsNonOverlappingAndDenseIndicator", 1, kAnyNumber},
    {"abs", 1, 1},
    {"float", 1, 1},
    {"int", 1, 1},
    {"len", 1, 1},
    {"math.acos", 1, 1},
    {"math.asin", 1, 1},
    {"math.asinh", 1, 1},
    {"math.atan", 1, 1},
    {"math.ceil", 1, 1},
    {"math.cos", 1, 1},
    {"math.cosh", 1, 1},
    {"math.exp", 1, 1},
    {"math.floor", 1, 1},
    {"math.isnan", 1, 1},
    {"math.log", 1, 1},
    {"math.log2", 1, 1},
    {"math.pow", 2, 2},
    {"math.sin", 1, 1},
    {"math.sinh", 1, 1},
    {"math.sqrt", 1, 1},
    {"math.tan", 1, 1},
    {"math.tanh", 1, 1},
    {"math.trunc", 1, 1},
    {"max", 1, kAnyNumber},
    {"min", 1, kAnyNumber},
    {"round", 1, 2},
    {"torch._sym_sqrt", 1, 1},
    {"torch.sym_float", 1, 1},
    {"torch.sym_int", 1, 1},
    {"torch.sym_max", 2, 2},
    {"torch.sym_min", 2, 2},
    {"torch.sym_not", 1, 1},
};

template <class Table>
const PrintedFunction* find(const Table& table, std::string_view name) {
  const auto at = std::find_if(std::begin(table), std::end(table),
                               [&](const PrintedFunction& function) { return function.name == name; });
  return at == std::end(table) ? nullptr : &*at;
}

void check_count(const PrintedFunction& function, const Expression& call) {
  const std::size_t count = call.operands.size();
  if (count < function.least || count > function.most) {
    cannot_evaluate(schemagen::quoted(call.text) +
                    " has a wrong number of operands: " + std::to_string(count));
  }
}

void refuse_keyword(const Expression& operand) {
  if (!operand.keyword.empty()) cannot_evaluate("unexpected keyword " + schemagen::quoted(operand.keyword));
}

/// `1.5`, `-0.25`, `1e-10`, `nan`.
bool is_float_text(std::string_view text) {
  if (starts_with(text, "-") || starts_with(text, "+")) text.remove_prefix(1);
  if (text == "inf" || text == "nan") return true;
  const auto skip_digits = [&] {
    const std::size_t count = std::min(text.find_first_not_of(kDecimalDigits), text.size());
    text.remove_prefix(count);
    return count;
  };
  std::size_t count = skip_digits();
  if (starts_with(text, ".")) {
    text.remove_prefix(1);
    count += skip_digits();
  }
  if (count == 0) return false;
  if (starts_with(text, "e") || starts_with(text, "E")) {
    text.remove_prefix(1);
    if (starts_with(text, "-") || starts_with(text, "+")) text.remove_prefix(1);
    if (skip_digits() == 0) return false;
  }
  return text.empty();
}

// ---- Expressions ----

/// What sympy calls the assumptions of a symbol.
bool is_assumption(std::string_view name) {
  constexpr std::string_view kAssumptions[] = {
      "algebraic",
      "antihermitian",
      "commutative",
      "complex",
      "composite",
      "even",
      "extended_negative",
      "extended_nonnegative",
      "extended_nonpositive",
      "extended_nonzero",
      "extended_positive",
      "extended_real",
      "finite",
      "hermitian",
      "imaginary",
      "infinite",
      "integer",
      "irrational",
      "negative",
      "noninteger",
      "nonnegative",
      "nonpositive",
      "nonzero",
      "odd",
      "positive",
      "prime",
      "rational",
      "real",
      "transcendental",
      "zero",
  };
  return std::find(std::begin(kAssumptions), std::end(kAssumptions), name) != std::end(kAssumptions);
}

/// sympy looks symbols that it met already up before its own names.
bool is_taken(std::string_view name) {
  return find(kReadOperators, name) != nullptr || find(kSympyFunctions, name) != nullptr ||
         is_constant_name(name) || is_keyword(name) || name == "Symbol" || name == "Integer" ||
         name == "Rational" || name == "Float";
}

/// A name in plain text, which sympy makes a symbol unless it has something of that name itself. It has
/// nothing that is a letter and a number, as most symbols of torch are. Source: torch/utils/_sympy/symbol.py.
bool is_bare_symbol(std::string_view name) {
  const std::size_t letters = std::min(name.find_first_of(kDecimalDigits), name.size());
  const std::string_view prefix = name.substr(0, letters);
  const bool is_prefix =
      (letters == 1 && prefix[0] >= 'a' && prefix[0] <= 'z') || prefix == "zf" || prefix == "zuf";
  return is_prefix && letters < name.size() && name.find_first_not_of(kDecimalDigits, letters) == name.npos;
}

/// That each name stands for a symbol, a constant, a function that is called or a keyword. Once it is read,
/// an expression does not tell `s0` from `Symbol('s0')`.
void check_bare_names(std::string_view text) {
  for (Token token = next_token(text, 0); token.kind != Token::Kind::end;) {
    const Token next = next_token(text, end_of(token));
    const bool is_bare = token.kind == Token::Kind::name && next.text != "(" && next.text != "=";
    if (is_bare && !is_constant_name(token.text) && !is_python_word(token.text) &&
        !is_bare_symbol(token.text)) {
      cannot_evaluate("sympy may take " + schemagen::quoted(token.text) + " to be something of its own");
    }
    token = next;
  }
}

void check_symbol(const Expression& symbol) {
  const std::string_view name = symbol.symbol();
  if (!is_identifier(name) || is_special_name(name) || is_taken(name))
    cannot_evaluate("no name of a symbol: " + schemagen::quoted(name));
  for (std::size_t i = 1; i < symbol.operands.size(); ++i) {
    const Expression& assumption = symbol.operands[i];
    if (!is_assumption(assumption.keyword))
      cannot_evaluate("no assumption of a symbol: " + schemagen::quoted(assumption.keyword));
    const bool is_truth = assumption.text == "True" || assumption.text == "False";
    if (assumption.kind != Expression::Kind::constant || !is_truth) {
      cannot_evaluate("an assumption is True or False, found " + schemagen::quoted(assumption.text));
    }
  }
}

void check_float(const Expression& number) {
  if (!is_float_text(number.operands[0].text))
    cannot_evaluate("not a float: " + schemagen::quoted(number.operands[0].text));
  for (std::size_t i = 1; i < number.operands.size(); ++i) {
    const Expression& option = number.operands[i];
    const bool is_precision = option.keyword == "precision" && option.kind == Expression::Kind::number;
    if (!is_precision) cannot_evaluate("unexpected keyword " + schemagen::quoted(option.keyword));
  }
}

void check_whole(const Expression& number, std::size_t count) {
  if (number.operands.size() != count)
    cannot_evaluate(schemagen::quoted(number.text) + " has a wrong number of operands");
}

/// Of what both kinds of text have; whether `term` was one.
bool check_number(const Expression& term) {
  if (term.is_call("Integer")) {
    check_whole(term, 1);
  } else if (term.is_call("Float")) {
    check_float(term);
  } else {
    return false;
  }
  return true;
}

void check_term(const Expression& term) {
  if (term.kind == Expression::Kind::constant || check_number(term)) return;
  if (term.is_call("Symbol")) return check_symbol(term);
  if (term.is_call("Rational")) return check_whole(term, 2);
  const PrintedFunction* function =
      term.kind == Expression::Kind::call ? find(kReadOperators, term.text) : nullptr;
  if (function == nullptr) function = find(kSympyFunctions, term.text);
  if (term.kind != Expression::Kind::call || function == nullptr)
    cannot_evaluate("unknown function " + schemagen::quoted(term.text));
  check_count(*function, term);
  for (const Expression& operand : term.operands) {
    refuse_keyword(operand);
    check_term(operand);
  }
}

// ---- Guards ----

/// What a guard asks of an input, read from its text.
class InputText {
 public:
  explicit InputText(std::string_view text) : text_(text), token_(next_token(text, 0)) {}

  void check() {
    if (!take("L") || !is("["))
      cannot_evaluate("not what torch asks of an input: " + schemagen::quoted(text_));
    while (token_.kind != Token::Kind::end) {
      if (take("[")) {
        check_key();
      } else {
        require(".");
        check_attribute();
      }
    }
  }

 private:
  bool is(std::string_view text) const { return token_.text == text && token_.kind != Token::Kind::string; }
  bool take(std::string_view text) {
    if (!is(text)) return false;
    next();
    return true;
  }
  void require(std::string_view text) {
    if (!take(text)) cannot_evaluate("expected '" + std::string(text) + "' in " + schemagen::quoted(text_));
  }
  void next() { token_ = next_token(text_, end_of(token_)); }

  /// `'x']` or `0]`. torch pastes it into the message of the guard, in quotes.
  void check_key() {
    if (token_.kind == Token::Kind::string) {
      const std::string_view key = token_.text;
      const bool is_closed = key.size() >= 2 && key.back() == key.front();
      if (!is_closed || !is_quotable(key.substr(1, key.size() - 2)))
        cannot_evaluate("a key has quotes: " + schemagen::quoted(key));
    } else if (token_.kind != Token::Kind::number ||
               token_.text.find_first_not_of(kDecimalDigits) != token_.text.npos) {
      cannot_evaluate("expected a key or an index in " + schemagen::quoted(text_));
    }
    next();
    require("]");
  }

  /// `size()`, or an attribute of the user's class.
  void check_attribute() {
    const std::string_view name = token_.text;
    if (!is_identifier(name) || starts_with(name, "_"))
      cannot_evaluate("no attribute of an input: " + schemagen::quoted(name));
    next();
    if (!take("(")) return;
    if (name != "size" && name != "stride" && name != "storage_offset")
      cannot_evaluate("a guard calls " + schemagen::quoted(name));
    require(")");
  }

  std::string_view text_;
  Token token_;
};

void check_guard_term(const Expression& term) {
  if (check_number(term)) return;
  if (term.kind == Expression::Kind::constant) {
    if (term.text != "True" && term.text != "False" && term.text != "None")
      cannot_evaluate("unknown name " + schemagen::quoted(term.text));
    return;
  }
  if (!term.symbol().empty()) {
    const bool is_constant =
        term.symbol() == "math.inf" || term.symbol() == "math.nan" || term.symbol() == "inf";
    if (!is_constant) InputText(term.symbol()).check();
    return;
  }
  const PrintedFunction* function =
      term.kind == Expression::Kind::call ? find(kReadOperators, term.text) : nullptr;
  if (function == nullptr) function = find(kGuardFunctions, term.text);
  if (term.kind != Expression::Kind::call || function == nullptr)
    cannot_evaluate("unknown function " + schemagen::quoted(term.text));
  check_count(*function, term);
  for (const Expression& operand : term.operands) {
    refuse_keyword(operand);
    check_guard_term(operand);
  }
}

}  // namespace

void check_evaluated_expression(std::string_view text) {
  if (text.find('\\') != text.npos) cannot_evaluate("a backslash in an expression");
  check_term(parse_expression(text));
  check_bare_names(text);
}

void check_executed_guard(std::string_view text) {
  if (text.find_first_of("\\\r\n") != text.npos) cannot_evaluate("a backslash or line break in a guard");
  check_guard_term(parse_expression(text));
}

}  // namespace pt2
