#include "pt2/text/expression.h"

#include <utility>

#include "pt2/text/tokens.h"
#include "schemagen/base/error.h"
#include "schemagen/base/quote.h"

namespace pt2 {
namespace {

constexpr std::size_t kDeepest = 200;
constexpr std::size_t kLongest = std::size_t{64} << 10;
constexpr std::size_t kMostJoins = 1000;

Expression leaf(Expression::Kind kind, std::string_view text) {
  Expression leaf;
  leaf.kind = kind;
  leaf.text = text;
  return leaf;
}

template <class... Operands>
Expression call_of(std::string_view head, Operands... operands) {
  Expression made = leaf(Expression::Kind::call, head);
  (made.operands.push_back(std::move(operands)), ...);
  return made;
}

Expression integer(std::string_view digits) {
  return call_of("Integer", leaf(Expression::Kind::number, digits));
}

std::string_view full_name(std::string_view head) {
  constexpr std::string_view kNames[][2] = {
      {"Eq", "Equality"}, {"Ne", "Unequality"},        {"Ge", "GreaterThan"},
      {"Le", "LessThan"}, {"Gt", "StrictGreaterThan"}, {"Lt", "StrictLessThan"},
  };
  for (const auto& [name, full] : kNames) {
    if (head == name) return full;
  }
  return head;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) { next(); }

  Expression parse() {
    Expression term = parse_ternary(0);
    if (token_.kind != Token::Kind::end) expected("an operator or the end");
    return term;
  }

 private:
  using Kind = Token::Kind;

  [[noreturn]] static void fail(const std::string& reason, std::size_t offset) {
    throw schemagen::DataError(reason, {}, {offset});
  }
  [[noreturn]] void expected(const std::string& what) const {
    const std::string found = token_.kind == Kind::end ? "the end" : schemagen::quoted(token_.text);
    fail("expected " + what + ", got " + found, token_.offset);
  }

  void next() { token_ = next_token(text_, end_of(token_)); }
  bool is(std::string_view text) const { return token_.kind != Kind::string && token_.text == text; }
  bool take(std::string_view text) {
    if (!is(text)) return false;
    next();
    return true;
  }
  void require(std::string_view text) {
    if (!take(text)) expected("'" + std::string(text) + "'");
  }
  void check_depth(std::size_t depth) const {
    if (depth > kDeepest)
      fail("nested more than " + std::to_string(kDeepest) + " levels deep", token_.offset);
  }

  Expression parse_ternary(std::size_t depth) {
    check_depth(depth);
    Expression value = parse_operators(kLogicalOrBinding, depth);
    if (!take("if")) return value;
    Expression condition = parse_operators(kLogicalOrBinding, depth);
    require("else");
    return call_of("Where", std::move(condition), std::move(value), parse_ternary(depth + 1));
  }

  const BinaryOperator* find_operator(int binding) const {
    for (const BinaryOperator& op : kBinaryOperators) {
      if (op.binding >= binding && is(op.sign)) return &op;
    }
    return nullptr;
  }

  Expression parse_operators(int binding, std::size_t depth) {
    Expression left = parse_unary(binding, depth);
    std::string_view open;
    bool is_relation = false;
    while (const BinaryOperator* const op = find_operator(binding)) {
      if (is_relation && op->binding == kRelationBinding) expected("the end of the relation");
      is_relation = op->binding == kRelationBinding;
      const std::size_t offset = token_.offset;
      next();
      Expression right = parse_operators(op->binding + 1, depth + 1);
      if (op->sign == "-") right = negated(std::move(right));
      if (op->sign == "/") right = call_of("Pow", std::move(right), integer("-1"));
      if (open == op->head) {
        left.operands.push_back(std::move(right));
        continue;
      }
      if (++joins_ > kMostJoins)
        fail("the expression has more than " + std::to_string(kMostJoins) + " operators", offset);
      left = call_of(op->head, std::move(left), std::move(right));
      const bool is_chain = op->head == "Add" || op->head == "Mul" || op->head == "And" || op->head == "Or";
      open = is_chain ? op->head : std::string_view();
    }
    return left;
  }

  /// As in sympy, a number absorbs the sign.
  static Expression negated(Expression term) {
    Expression& first = term.is_call("Mul") && !term.operands.empty() ? term.operands[0] : term;
    const bool is_number = first.is_call("Integer") || first.is_call("Float");
    if (is_number || term.kind == Expression::Kind::constant) {
      std::string& text = is_number ? first.operands[0].text : term.text;
      text[0] == '-' ? text.erase(0, 1) : text.insert(0, 1, '-');
      return term;
    }
    if (!term.is_call("Mul")) return call_of("Mul", integer("-1"), std::move(term));
    term.operands.insert(term.operands.begin(), integer("-1"));
    return term;
  }

  Expression parse_unary(int binding, std::size_t depth) {
    check_depth(depth);
    if (binding <= kLogicalNotBinding && take("not"))
      return call_of("Not", parse_operators(kLogicalNotBinding, depth + 1));
    if (take("~")) return call_of("Not", parse_unary(kMultiplicativeBinding, depth + 1));
    if (take("-")) return negated(parse_unary(kMultiplicativeBinding, depth + 1));
    Expression base = parse_atom(depth);
    if (!take("**")) return base;
    return call_of("Pow", std::move(base), parse_unary(kMultiplicativeBinding, depth + 1));
  }

  Expression parse_atom(std::size_t depth) {
    const Token start = token_;
    if (take("(")) return parse_brackets(depth);
    if (start.kind == Kind::number) return parse_number();
    if (start.kind != Kind::name || is_python_word(start.text)) expected("an expression");
    next();
    std::string_view name = start.text;
    if ((name == "math" || name == "torch") && take(".")) {
      if (token_.kind != Kind::name) expected("a name");
      name = text_.substr(start.offset, end_of(token_) - start.offset);
      next();
    }
    if (is("(")) return parse_call(name, depth);
    if (is(".") || is("[")) name = skip_accesses(start.offset);
    if (is_constant_name(name)) return leaf(Expression::Kind::constant, name);
    return call_of("Symbol", leaf(Expression::Kind::string, name));
  }

  Expression parse_number() {
    const Token token = token_;
    next();
    if (is_whole(token)) return integer(token.text);
    if (token.text.find_first_not_of("0123456789.eE+-") != token.text.npos) {
      fail("expected a number, got " + schemagen::quoted(token.text), token.offset);
    }
    return call_of("Float", leaf(Expression::Kind::string, token.text));
  }

  static bool is_whole(const Token& token) {
    return token.kind == Kind::number && token.text.find_first_not_of("0123456789") == token.text.npos;
  }

  Expression parse_brackets(std::size_t depth) {
    Expression term = parse_ternary(depth + 1);
    if (is(",")) term = call_of("Tuple", std::move(term));
    while (take(",")) term.operands.push_back(parse_ternary(depth + 1));
    require(")");
    return term;
  }

  std::string_view skip_accesses(std::size_t start) {
    std::size_t end = token_.offset;
    std::string open;
    while (!open.empty() || is(".") || is("[") || is("(")) {
      if (is("[") || is("(")) {
        open += is("[") ? ']' : ')';
      } else if (token_.kind == Kind::end || is("]") || is(")")) {
        if (!is(open.substr(open.size() - 1))) expected("a closing bracket");
        open.pop_back();
      } else if (open.empty()) {
        next();
        if (token_.kind != Kind::name) expected("a name");
      }
      end = end_of(token_);
      next();
    }
    return text_.substr(start, end - start);
  }

  Expression parse_call(std::string_view head, std::size_t depth) {
    const std::size_t bracket = token_.offset;
    next();
    const bool is_atom = head == "Symbol" || head == "Integer" || head == "Rational" || head == "Float";
    Expression made = leaf(Expression::Kind::call, full_name(head));
    while (!is(")")) {
      if (!made.operands.empty()) require(",");
      std::string keyword = take_keyword();
      made.operands.push_back(is_atom || !keyword.empty() ? parse_literal() : parse_ternary(depth + 1));
      made.operands.back().keyword = std::move(keyword);
    }
    next();
    if (is_atom) check_atom(made, bracket);
    return made;
  }

  std::string take_keyword() {
    const Token name = token_;
    const Token sign = next_token(text_, end_of(name));
    if (name.kind != Kind::name || sign.text != "=") return {};
    token_ = sign;
    next();
    return std::string(name.text);
  }

  Expression parse_literal() {
    const Token first = token_;
    if (first.kind == Kind::string) return parse_string();
    take("-");
    const std::string text = (first.text == "-" ? "-" : "") + std::string(token_.text);
    const bool is_number = is_whole(token_);
    if (!is_number && !(token_.kind == Kind::name && is_constant_name(token_.text))) expected("a literal");
    next();
    return leaf(is_number ? Expression::Kind::number : Expression::Kind::constant, text);
  }

  Expression parse_string() {
    const Token token = token_;
    next();
    const std::string_view quoted = token.text;
    Expression string = leaf(Expression::Kind::string, {});
    std::size_t at = 1;
    for (; at < quoted.size() && quoted[at] != quoted[0]; ++at) {
      if (quoted[at] == '\\') ++at;  // skips an escaped quote or backslash; names have no other escapes
      if (at < quoted.size()) string.text += quoted[at];
    }
    if (at >= quoted.size()) fail("the string has no closing quote", token.offset);
    return string;
  }

  static void check_atom(const Expression& atom, std::size_t offset) {
    const bool takes_string = atom.text == "Symbol" || atom.text == "Float";
    const std::size_t count = atom.text == "Rational" ? 2 : 1;
    const auto kind = takes_string ? Expression::Kind::string : Expression::Kind::number;
    bool is_right = atom.operands.size() >= count;
    for (std::size_t i = 0; i < atom.operands.size(); ++i) {
      const Expression& operand = atom.operands[i];
      const bool is_literal = i < count && operand.keyword.empty() && operand.kind == kind;
      is_right = is_right && (is_literal ? !operand.text.empty() : i >= count && !operand.keyword.empty());
    }
    if (is_right) return;
    const char* const what = takes_string ? "one string" : count == 1 ? "one integer" : "two integers";
    fail("'" + atom.text + "': expected " + what, offset);
  }

  std::string_view text_;
  Token token_;
  std::size_t joins_ = 0;  // operators that may have deepened the tree
};

void append_string(std::string& out, std::string_view text) {
  out += '\'';
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  out += '\'';
}

void append(std::string& out, const Expression& term) {
  if (!term.keyword.empty()) out += term.keyword + "=";
  if (term.kind == Expression::Kind::string) return append_string(out, term.text);
  out += term.text;
  if (term.kind != Expression::Kind::call) return;
  out += '(';
  for (const Expression& operand : term.operands) {
    if (&operand != &term.operands.front()) out += ", ";
    append(out, operand);
  }
  out += ')';
}

}  // namespace

std::string_view Expression::symbol() const noexcept {
  return is_call("Symbol") && !operands.empty() ? std::string_view(operands[0].text) : std::string_view();
}

const std::string* Expression::integer() const noexcept {
  return is_call("Integer") && !operands.empty() ? &operands[0].text : nullptr;
}

Expression parse_expression(std::string_view text) {
  if (text.size() > kLongest) {
    throw schemagen::DataError("expected an expression of at most " + std::to_string(kLongest) +
                               " bytes, got " + std::to_string(text.size()));
  }
  return Parser(text).parse();
}

std::string srepr(const Expression& expression) {
  std::string text;
  append(text, expression);
  return text;
}

void for_each_symbol(const Expression& expression, const std::function<void(std::string_view)>& visit) {
  const std::string_view symbol = expression.symbol();
  if (!symbol.empty()) return visit(symbol);
  for (const Expression& operand : expression.operands) for_each_symbol(operand, visit);
}

}  // namespace pt2
