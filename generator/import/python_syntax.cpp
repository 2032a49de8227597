#include "import/python_syntax.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <system_error>
#include <utility>

#include "text/characters.h"
#include "text/quoting.h"

namespace generator {
namespace {

using Token = PythonToken;
using Expression = PythonExpression;
using Statement = PythonStatement;

constexpr std::size_t kMaxPythonDepth = 100;

struct PythonFault {
  Span span;
  std::string what;
};

struct PythonParser {
  const std::vector<Token>& tokens;

  std::vector<Statement> read_file() {
    std::vector<Statement> statements;
    while (peek().kind != Token::Kind::end) read_statement(statements);
    return statements;
  }

  Expression read_whole_expression() {
    Expression expression = read_expressions();
    take_kind(Token::Kind::line_end, "one expression");
    take_kind(Token::Kind::end, "one expression");
    return expression;
  }

  const Token& peek(std::size_t offset = 0) const { return tokens[std::min(at + offset, tokens.size() - 1)]; }

  bool is_at(Token::Kind kind, std::string_view text, std::size_t offset = 0) const {
    return peek(offset).kind == kind && peek(offset).text == text;
  }
  bool is_at(std::string_view sign, std::size_t offset = 0) const {
    return is_at(Token::Kind::sign, sign, offset);
  }
  bool is_at_word(std::string_view word) const { return is_at(Token::Kind::name, word); }

  const Token& next() { return tokens[std::min(at++, tokens.size() - 1)]; }

  bool take(std::string_view sign) {
    if (!is_at(sign)) return false;
    next();
    return true;
  }

  [[noreturn]] void fail(const std::string& expected) const {
    throw PythonFault{peek().span, "expected " + expected};
  }

  void expect(std::string_view sign) {
    if (!take(sign)) fail("'" + std::string(sign) + "'");
  }

  const Token& take_kind(Token::Kind kind, const std::string& expected) {
    if (peek().kind != kind) fail(expected);
    return next();
  }

  /// A fault ends the parser, so only successful reads leave the level.
  void enter() {
    if (++nesting > kMaxPythonDepth) throw PythonFault{peek().span, "nested too deeply"};
  }

  void read_statement(std::vector<Statement>& out) {
    enter();
    Statement statement;
    statement.first_line = peek().span.line;
    while (take("@")) {
      statement.decorators.push_back(read_expression());
      take_kind(Token::Kind::line_end, "the end of the line");
    }
    statement.span = peek().span;
    if (is_at_word("class")) {
      read_class(statement);
      out.push_back(std::move(statement));
    } else if (is_at_word("def") || (is_at_word("async") && is_at(Token::Kind::name, "def", 1))) {
      if (next().text == "async") next();
      statement.kind = Statement::Kind::names;
      statement.names = {peek().text};
      skip_block();
      out.push_back(std::move(statement));
    } else {
      read_simple_statements(out);
    }
    --nesting;
  }

  void read_class(Statement& statement) {
    next();
    statement.kind = Statement::Kind::class_definition;
    statement.name = take_kind(Token::Kind::name, "the name of the class").text;
    std::vector<Expression> ignored;
    if (take("[")) read_items("]", ignored);
    if (take("(")) statement.bases = read_arguments({}, peek().span).parts;
    statement.last_line = peek().span.line;
    expect(":");
    if (peek().kind != Token::Kind::line_end) return read_simple_statements(statement.body);
    next();
    take_kind(Token::Kind::indent, "an indented block");
    while (peek().kind != Token::Kind::dedent && peek().kind != Token::Kind::end)
      read_statement(statement.body);
    next();
  }

  void read_simple_statements(std::vector<Statement>& out) {
    while (peek().kind != Token::Kind::line_end && peek().kind != Token::Kind::end) {
      Statement statement;
      statement.span = peek().span;
      statement.first_line = statement.span.line;
      read_simple_statement(statement);
      statement.last_line = tokens[at - 1].span.line;
      out.push_back(std::move(statement));
      if (!take(";")) break;
    }
    skip_block();
  }

  void read_simple_statement(Statement& statement) {
    if (is_at_word("import") || is_at_word("from")) {
      statement.kind = Statement::Kind::names;
      read_import(statement.names);
    } else if (peek().kind == Token::Kind::name && !is_python_keyword(peek().text) && is_at(":", 1)) {
      statement.kind = Statement::Kind::annotation;
      statement.name = next().text;
      next();
      statement.annotation = read_expression();
      if (take("=")) statement.value = read_expressions();
    } else if (peek().kind == Token::Kind::name && is_at("=", 1)) {
      statement.kind = Statement::Kind::assignment;
      statement.name = next().text;
      next();
      statement.value = read_expressions();
      // A = B = 1 assigns two names and declares nothing.
      if (is_at("=")) statement.kind = Statement::Kind::other;
    } else {
      skip_statement();
    }
  }

  void read_import(std::vector<std::string>& names) {
    const bool is_from = next().text == "from";
    while (is_from && peek().kind != Token::Kind::line_end && !is_at_word("import")) next();
    bool is_new = !is_from;  // the next name is the one that is bound
    for (; peek().kind != Token::Kind::line_end && peek().kind != Token::Kind::end && !is_at(";"); next()) {
      if (is_at_word("import") || is_at(",") || is_at("(")) {
        is_new = true;
      } else if (is_at_word("as")) {
        names.pop_back();
        is_new = true;
      } else if (peek().kind == Token::Kind::name && is_new) {
        names.push_back(peek().text);
        is_new = false;
      }
    }
  }

  void skip_statement() {
    for (std::size_t depth = 0; peek().kind != Token::Kind::line_end && peek().kind != Token::Kind::end;
         next()) {
      if (is_at("(") || is_at("[") || is_at("{")) ++depth;
      if ((is_at(")") || is_at("]") || is_at("}")) && depth > 0) --depth;
      if (is_at(";") && depth == 0) return;
    }
  }

  void skip_block() {
    while (peek().kind != Token::Kind::line_end && peek().kind != Token::Kind::end) next();
    next();
    if (peek().kind != Token::Kind::indent) return;
    std::size_t depth = 0;
    do {
      if (peek().kind == Token::Kind::indent) ++depth;
      if (peek().kind == Token::Kind::dedent) --depth;
      next();
    } while (depth > 0 && peek().kind != Token::Kind::end);
  }

  Expression read_expressions() {
    Expression first = read_expression();
    if (!is_at(",")) return first;
    Expression tuple{Expression::Kind::tuple, "", {}, {}, first.span};
    tuple.parts.push_back(std::move(first));
    while (take(",") && begins_expression()) tuple.parts.push_back(read_expression());
    return tuple;
  }

  bool begins_expression() const {
    return peek().kind != Token::Kind::line_end && peek().kind != Token::Kind::end && !is_at(";") &&
           !is_at("=") && !is_at(")") && !is_at("]") && !is_at("}");
  }

  /// Operators have no precedence here: only A | B and -1 are distinguished.
  Expression read_expression() {
    Expression first = read_operand();
    bool has_only_bars = true;
    std::vector<Expression> operands;
    while (take_operator(has_only_bars)) operands.push_back(read_operand());
    if (operands.empty()) return first;
    Expression all{
        has_only_bars ? Expression::Kind::alternatives : Expression::Kind::other, "", {}, {}, first.span};
    all.parts.push_back(std::move(first));
    std::move(operands.begin(), operands.end(), std::back_inserter(all.parts));
    return all;
  }

  bool take_operator(bool& has_only_bars) {
    static const Words signs = words_of({"| + - * / // % @ ** << >> & ^ < > <= >= == != := <>"});
    static const Words words = words_of({"and or in is not if else for"});
    if (is_at_word("async")) next();
    const Token& token = peek();
    const bool is_sign = token.kind == Token::Kind::sign && signs.count(token.text) != 0;
    if (!is_sign && !(token.kind == Token::Kind::name && words.count(token.text) != 0)) return false;
    const bool is_bar = next().text == "|";
    has_only_bars = has_only_bars && is_bar;
    return true;
  }

  Expression read_operand() {
    enter();
    Expression operand = read_inner_operand();
    --nesting;
    return operand;
  }

  Expression read_inner_operand() {
    const Span span = peek().span;
    if (take("-")) {
      Expression inner = read_operand();
      const bool is_number = inner.kind == Expression::Kind::integer || inner.kind == Expression::Kind::real;
      if (!is_number || inner.text.front() == '-')
        return {Expression::Kind::other, "-", {std::move(inner)}, {}, span};
      inner.text.insert(0, 1, '-');
      inner.span = span;
      return inner;
    }
    if (is_at("+") || is_at("~") || is_at("*") || is_at("**") || is_at_word("not") || is_at_word("await")) {
      next();
      return {Expression::Kind::other, "", {read_operand()}, {}, span};
    }
    if (is_at_word("lambda")) {
      while (!is_at(":") && begins_expression()) next();
      expect(":");
      return {Expression::Kind::lambda, "", {read_expression()}, {}, span};
    }
    return read_trailers(read_atom());
  }

  Expression read_atom() {
    const Token& token = peek();
    switch (token.kind) {
      case Token::Kind::name:
        next();
        return {Expression::Kind::name, token.text, {}, {}, token.span};
      case Token::Kind::number:
        next();
        return number(token);
      case Token::Kind::string:
      case Token::Kind::no_value:
        return read_strings();
      default:
        break;
    }
    if (take("...")) return {Expression::Kind::other, "", {}, {}, token.span};
    if (take("(")) {
      Expression items{Expression::Kind::tuple, "", {}, {}, token.span};
      const bool has_comma = read_items(")", items.parts);
      return items.parts.size() == 1 && !has_comma ? std::move(items.parts.front()) : items;
    }
    if (take("[")) {
      Expression items{Expression::Kind::list, "", {}, {}, token.span};
      read_items("]", items.parts);
      return items;
    }
    if (take("{")) return read_dict(token.span);
    fail("an expression");
  }

  static Expression number(const Token& token) {
    Expression made{Expression::Kind::other, token.text, {}, {}, token.span};
    std::string& digits = made.text;
    digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
    const std::size_t letter = std::string_view("xob").find(lower(digits.substr(1, 1)));
    if (digits.find_first_not_of("0123456789") == std::string::npos) {
      made.kind = Expression::Kind::integer;
    } else if (digits.front() == '0' && letter != std::string_view::npos) {
      constexpr int kBases[] = {16, 8, 2};
      std::uint64_t value = 0;
      const char* const end = digits.data() + digits.size();
      const auto [last, error] = std::from_chars(digits.data() + 2, end, value, kBases[letter]);
      if (error == std::errc() && last == end) made.kind = Expression::Kind::integer;
      digits = std::to_string(value);
    } else if (digits.find_first_not_of("0123456789.eE+-") == std::string::npos) {
      made.kind = Expression::Kind::real;
    }
    return made;
  }

  Expression read_strings() {
    Expression string{Expression::Kind::string, "", {}, {}, peek().span};
    while (peek().kind == Token::Kind::string || peek().kind == Token::Kind::no_value) {
      if (peek().kind == Token::Kind::no_value) string.kind = Expression::Kind::other;
      string.text += next().text;
    }
    return string;
  }

  /// Returns whether there are commas.
  template <typename Read>
  bool read_each(std::string_view end, const Read& read_one) {
    bool has_comma = false;
    while (!take(end)) {
      read_one();
      if (take(end)) break;
      expect(",");
      has_comma = true;
    }
    return has_comma;
  }

  bool read_items(std::string_view end, std::vector<Expression>& items) {
    return read_each(end, [&] { items.push_back(read_expression()); });
  }

  /// Without sets, which have no colons.
  Expression read_dict(const Span& span) {
    Expression dict{Expression::Kind::dict, "", {}, {}, span};
    read_each("}", [&] {
      dict.parts.push_back(read_expression());
      if (take(":"))
        dict.parts.push_back(read_expression());
      else
        dict.kind = Expression::Kind::other;
    });
    return dict;
  }

  /// Adds the arguments to the function.
  Expression read_arguments(std::vector<Expression> function, const Span& span) {
    Expression call{Expression::Kind::call, "", std::move(function), {}, span};
    read_each(")", [&] {
      const bool has_keyword = peek().kind == Token::Kind::name && is_at("=", 1);
      call.keywords.push_back(has_keyword ? next().text : "");
      if (has_keyword) next();
      call.parts.push_back(read_expression());
    });
    return call;
  }

  Expression read_trailers(Expression object) {
    for (std::size_t count = 0;; ++count) {
      const Span span = object.span;
      if (count > kMaxPythonDepth) throw PythonFault{peek().span, "nested too deeply"};
      if (take(".")) {
        std::string name = take_kind(Token::Kind::name, "a name").text;
        object = {Expression::Kind::attribute, std::move(name), wrapped(std::move(object)), {}, span};
      } else if (take("(")) {
        object = read_arguments(wrapped(std::move(object)), span);
      } else if (take("[")) {
        object = read_subscript(std::move(object), span);
      } else {
        return object;
      }
    }
  }

  /// Without slices, which have colons.
  Expression read_subscript(Expression object, const Span& span) {
    Expression subscript{Expression::Kind::subscript, "", wrapped(std::move(object)), {}, span};
    while (!take("]")) {
      if (take(":")) {
        subscript.kind = Expression::Kind::other;
        continue;
      }
      subscript.parts.push_back(read_expression());
      if (is_at(":") || take(",")) continue;
      expect("]");
      break;
    }
    // X[()] has one index, the empty tuple; X[a, b] has two.
    if (subscript.parts.size() == 2 && subscript.parts[1].kind == Expression::Kind::tuple) {
      std::vector<Expression> items = std::move(subscript.parts[1].parts);
      subscript.parts.pop_back();
      std::move(items.begin(), items.end(), std::back_inserter(subscript.parts));
    }
    return subscript;
  }

  static std::vector<Expression> wrapped(Expression expression) {
    std::vector<Expression> parts;
    parts.push_back(std::move(expression));
    return parts;
  }

  std::size_t at = 0;
  std::size_t nesting = 0;
};

void place_at(Expression& expression, const Span& span) {
  expression.span = span;
  for (Expression& part : expression.parts) place_at(part, span);
}

}  // namespace

std::string PythonExpression::last_name() const {
  return kind == Kind::name || kind == Kind::attribute ? text : "";
}

std::optional<PythonFile> parse_python(Diagnostics& diagnostics) {
  const std::optional<PythonTokens> tokens = python_tokens(diagnostics.text(), diagnostics);
  if (!tokens) return std::nullopt;
  try {
    return PythonFile{PythonParser{tokens->tokens}.read_file(), tokens->comments};
  } catch (const PythonFault& fault) {
    return diagnostics.error(fault.span, "not Python: " + fault.what);
  }
}

std::optional<Expression> parse_python_expression(const std::string& text, const Span& span) {
  Diagnostics ignored("", "");
  const std::optional<PythonTokens> tokens = python_tokens(text, ignored);
  if (!tokens) return std::nullopt;
  try {
    Expression expression = PythonParser{tokens->tokens}.read_whole_expression();
    place_at(expression, span);
    return expression;
  } catch (const PythonFault&) {
    return std::nullopt;
  }
}

}  // namespace generator
