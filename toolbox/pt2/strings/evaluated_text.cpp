#include "pt2/strings/evaluated_text.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <system_error>

#include "pt2/text/affix.h"
#include "pt2/text/expression.h"
#include "pt2/text/python_name.h"
#include "pt2/text/tokens.h"
#include "pt2/text/words.h"
#include "schemagen/base/ascii.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/error.h"
#include "schemagen/base/float_chars.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

constexpr std::string_view kDecimalDigits = "0123456789";

[[noreturn]] void cannot_evaluate(const std::string& reason) {
  throw schemagen::DataError(reason);
}

struct PrintedFunctions {
  std::size_t least;
  std::size_t most;
  std::string_view names;
};
constexpr std::size_t kAnyNumber = static_cast<std::size_t>(-1);

constexpr PrintedFunctions kReadOperators[] = {
    {0, kAnyNumber, "Add Mul And Or"},
    {1, 1, "Not"},
    {2, 2,
     "Pow Equality Unequality GreaterThan LessThan StrictGreaterThan StrictLessThan FloorDiv PythonMod "
     "LShift RShift BitwiseFn_bitwise_and BitwiseFn_bitwise_or BitwiseFn_bitwise_xor"},
    {3, 3, "Where"},
};

constexpr PrintedFunctions kSympyFunctions[] = {
    {1, 1,
     "Abs CeilToInt FloorToInt Identity OpaqueUnaryFn_acos OpaqueUnaryFn_asin OpaqueUnaryFn_asinh "
     "OpaqueUnaryFn_atan OpaqueUnaryFn_cos OpaqueUnaryFn_cosh OpaqueUnaryFn_exp OpaqueUnaryFn_log "
     "OpaqueUnaryFn_log2 OpaqueUnaryFn_sin OpaqueUnaryFn_sinh OpaqueUnaryFn_sqrt OpaqueUnaryFn_tan "
     "OpaqueUnaryFn_tanh RoundToInt ToFloat TruncToFloat TruncToInt ceiling floor sqrt"},
    {2, 2,
     "CeilDiv CleanDiv ExprCondPair FloatPow FloatTrueDiv IntTrueDiv Mod PowByNatural RoundDecimal Tuple"},
    {3, 3, "ITE ModularIndexing"},
    {1, kAnyNumber, "IsNonOverlappingAndDenseIndicator Max Min Piecewise"},
};

constexpr PrintedFunctions kGuardFunctions[] = {
    {1, kAnyNumber, "IsNonOverlappingAndDenseIndicator max min"},
    {1, 1,
     "abs float int len math.acos math.asin math.asinh math.atan math.ceil math.cos math.cosh math.exp "
     "math.floor math.isnan math.log math.log2 math.sin math.sinh math.sqrt math.tan math.tanh "
     "math.trunc torch._sym_sqrt torch.sym_float torch.sym_int torch.sym_not"},
    {2, 2, "math.pow torch.sym_max torch.sym_min"},
    {1, 2, "round"},
};

template <class Table>
const PrintedFunctions* find(const Table& table, std::string_view name) {
  for (const PrintedFunctions& functions : table) {
    if (has_word(functions.names, name)) return &functions;
  }
  return nullptr;
}

template <class Table>
void check_call(const Expression& call, const Table& functions) {
  const bool is_call = call.kind == Expression::Kind::call;
  const PrintedFunctions* found = is_call ? find(kReadOperators, call.text) : nullptr;
  if (is_call && found == nullptr) found = find(functions, call.text);
  if (found == nullptr) cannot_evaluate("unknown function " + schemagen::quoted(call.text));
  const std::size_t count = call.operands.size();
  if (count < found->least || count > found->most) {
    cannot_evaluate(schemagen::quoted(call.text) + ": wrong number of operands, got " +
                    std::to_string(count));
  }
  for (const Expression& operand : call.operands) {
    if (!operand.keyword.empty()) cannot_evaluate("unexpected keyword " + schemagen::quoted(operand.keyword));
  }
}

bool is_float_text(std::string_view text) {
  if (starts_with(text, "-") || starts_with(text, "+")) text.remove_prefix(1);
  if (text == "inf" || text == "nan") return true;
  double number = 0;
  const char* const end = text.data() + text.size();
  const bool is_decimal = !text.empty() && (schemagen::is_digit(text[0]) || text[0] == '.') &&
                          text.find_first_not_of("0123456789.eE+-") == text.npos;
  const auto [rest, error] = schemagen::parse_float(text.data(), end, number);
  return is_decimal && rest == end && error != std::errc::invalid_argument;
}

constexpr std::string_view kSymbolAssumptions =
    "algebraic antihermitian commutative complex composite even extended_negative extended_nonnegative "
    "extended_nonpositive extended_nonzero extended_positive extended_real finite hermitian imaginary "
    "infinite integer irrational negative noninteger nonnegative nonpositive nonzero odd positive prime "
    "rational real transcendental zero";

/// sympy looks up known symbols before its own names.
bool is_taken(std::string_view name) {
  return find(kReadOperators, name) != nullptr || find(kSympyFunctions, name) != nullptr ||
         is_constant_name(name) || is_keyword(name) || name == "Symbol" || name == "Integer" ||
         name == "Rational" || name == "Float";
}

/// Names that sympy does not define become symbols. It defines no letter followed by a number, as most of
/// torch's symbols are. Source: torch/utils/_sympy/symbol.py.
bool is_bare_symbol(std::string_view name) {
  const std::size_t letters = std::min(name.find_first_of(kDecimalDigits), name.size());
  const std::string_view prefix = name.substr(0, letters);
  const bool is_prefix =
      (letters == 1 && prefix[0] >= 'a' && prefix[0] <= 'z') || prefix == "zf" || prefix == "zuf";
  return is_prefix && letters < name.size() && name.find_first_not_of(kDecimalDigits, letters) == name.npos;
}

/// After parsing, `s0` and `Symbol('s0')` are the same.
void check_bare_names(std::string_view text) {
  for (Token token = next_token(text, 0); token.kind != Token::Kind::end;) {
    const Token next = next_token(text, end_of(token));
    const bool is_bare = token.kind == Token::Kind::name && next.text != "(" && next.text != "=";
    if (is_bare && !is_constant_name(token.text) && !is_python_word(token.text) &&
        !is_bare_symbol(token.text)) {
      cannot_evaluate("sympy may define the name " + schemagen::quoted(token.text));
    }
    token = next;
  }
}

void check_symbol(const Expression& symbol) {
  const std::string_view name = symbol.symbol();
  if (!is_identifier(name) || is_special_name(name) || is_taken(name))
    cannot_evaluate("expected the name of a symbol, got " + schemagen::quoted(name));
  for (std::size_t i = 1; i < symbol.operands.size(); ++i) {
    const Expression& assumption = symbol.operands[i];
    if (!has_word(kSymbolAssumptions, assumption.keyword))
      cannot_evaluate("unknown symbol assumption " + schemagen::quoted(assumption.keyword));
    const bool is_truth = assumption.text == "True" || assumption.text == "False";
    if (assumption.kind != Expression::Kind::constant || !is_truth) {
      cannot_evaluate("symbol assumption: expected True or False, got " + schemagen::quoted(assumption.text));
    }
  }
}

void check_float(const Expression& number) {
  if (!is_float_text(number.operands[0].text))
    cannot_evaluate("expected a float, got " + schemagen::quoted(number.operands[0].text));
  for (std::size_t i = 1; i < number.operands.size(); ++i) {
    const Expression& option = number.operands[i];
    const bool is_precision = option.keyword == "precision" && option.kind == Expression::Kind::number;
    if (!is_precision) cannot_evaluate("unexpected keyword " + schemagen::quoted(option.keyword));
  }
}

void check_whole(const Expression& number, std::size_t count) {
  if (number.operands.size() != count)
    cannot_evaluate(schemagen::quoted(number.text) + ": expected " + schemagen::counted(count, "operand") +
                    ", got " + std::to_string(number.operands.size()));
}

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
  check_call(term, kSympyFunctions);
  for (const Expression& operand : term.operands) check_term(operand);
}

/// Of the form `L['x'][0].size()[1]`.
void check_input_access(std::string_view text) {
  Token token = next_token(text, 0);
  const auto step = [&] { token = next_token(text, end_of(token)); };
  const auto take = [&](std::string_view sign) {
    const bool is_it = token.text == sign && token.kind != Token::Kind::string;
    if (is_it) step();
    return is_it;
  };
  const auto expect = [&](const char* sign) {
    if (!take(sign)) cannot_evaluate("expected '" + std::string(sign) + "' in " + schemagen::quoted(text));
  };
  if (!take("L") || token.text != "[") cannot_evaluate("unknown input access: " + schemagen::quoted(text));
  while (token.kind != Token::Kind::end) {
    const bool is_item = take("[");
    if (!is_item) expect(".");
    const std::string_view name = token.text;
    if (!is_item) {
      if (!is_identifier(name) || starts_with(name, "_"))
        cannot_evaluate("unknown attribute of an input: " + schemagen::quoted(name));
    } else if (token.kind == Token::Kind::string) {
      // The guard's message contains `'x']` or `0]`, in quotes.
      if (name.size() < 2 || name.back() != name.front() || !is_quotable(name.substr(1, name.size() - 2)))
        cannot_evaluate("expected a key without quotes, got " + schemagen::quoted(name));
    } else if (token.kind != Token::Kind::number || name.find_first_not_of(kDecimalDigits) != name.npos) {
      cannot_evaluate("expected a key or an index in " + schemagen::quoted(text));
    }
    step();
    if (is_item) {
      expect("]");
    } else if (take("(")) {
      if (name != "size" && name != "stride" && name != "storage_offset")
        cannot_evaluate("unknown function " + schemagen::quoted(name));
      expect(")");
    }
  }
}

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
    if (!is_constant) check_input_access(term.symbol());
    return;
  }
  check_call(term, kGuardFunctions);
  for (const Expression& operand : term.operands) check_guard_term(operand);
}

}  // namespace

void check_evaluated_expression(std::string_view text) {
  if (text.find('\\') != text.npos) cannot_evaluate("unexpected backslash in an expression");
  check_term(parse_expression(text));
  check_bare_names(text);
}

void check_executed_guard(std::string_view text) {
  if (text.find_first_of("\\\r\n") != text.npos)
    cannot_evaluate("unexpected backslash or line break in a guard");
  check_guard_term(parse_expression(text));
}

}  // namespace pt2
