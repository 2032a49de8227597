#include "pt2/text/symbolic_text.h"

#include <algorithm>
#include <utility>

#include "pt2/text/tokens.h"
#include "schemagen/base/error.h"

namespace pt2 {
namespace {

constexpr std::size_t kLongestOrdered = std::size_t{4} << 10;  // ordering takes quadratic time

std::string order_operands(Expression& term, const SymbolicText::NumberOf& number_of) {
  if (term.kind != Expression::Kind::call) return srepr(term);
  std::vector<std::pair<std::string, Expression>> operands;
  const std::size_t first = term.symbol().empty() ? 0 : 1;
  for (std::size_t i = first; i < term.operands.size(); ++i) {
    std::string key = order_operands(term.operands[i], number_of);
    operands.emplace_back(std::move(key), std::move(term.operands[i]));
  }
  if (is_commutative(term.text)) {
    std::stable_sort(operands.begin(), operands.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  std::string key = term.text + "(";
  if (first == 1) {
    const std::optional<std::size_t> number = number_of(term.symbol());
    const std::string digits = number ? std::to_string(*number) : "";
    // A length prefix makes numbers compare numerically; symbols without a number come last.
    key += number ? std::string(1, static_cast<char>('0' + digits.size())) + digits : "~";
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    key += "," + operands[i].first;
    term.operands[first + i] = std::move(operands[i].second);
  }
  return key + ")";
}

void rename(Expression& term, const std::function<std::string(std::string_view)>& new_name) {
  if (!term.symbol().empty()) {
    term.operands[0].text = new_name(term.symbol());
    return;
  }
  for (Expression& operand : term.operands) rename(operand, new_name);
}

bool is_plain_symbol(std::string_view text, const Token& name) {
  const char before = name.offset == 0 ? ' ' : text[name.offset - 1];
  const std::string_view after = text.substr(end_of(name), 2);
  const bool is_keyword = after.substr(0, 1) == "=" && after != "==";
  return before != '.' && after.substr(0, 1) != "(" && !is_keyword && !is_constant_name(name.text) &&
         !is_python_word(name.text);
}

}  // namespace

bool is_commutative(std::string_view head) {
  for (const std::string_view commutative : {"Add", "Mul", "Max", "Min", "And", "Or"}) {
    if (head == commutative) return true;
  }
  return false;
}

std::string replace_symbols(std::string_view text,
                            const std::function<std::string(std::string_view symbol)>& replace) {
  constexpr std::string_view kSymbol = "Symbol(";
  std::string out;
  std::size_t done = 0;
  for (Token token = next_token(text, 0); token.kind != Token::Kind::end;
       token = next_token(text, end_of(token))) {
    const bool is_quoted =
        token.kind == Token::Kind::string && token.text.size() > 2 &&
        text.substr(0, token.offset).substr(std::max(token.offset, kSymbol.size()) - kSymbol.size()) ==
            kSymbol;
    const bool is_name = token.kind == Token::Kind::name && is_plain_symbol(text, token);
    if (!is_quoted && !is_name) continue;
    const std::size_t quote = is_quoted ? 1 : 0;
    out += text.substr(done, token.offset + quote - done);
    out += replace(token.text.substr(quote, token.text.size() - 2 * quote));
    done = end_of(token) - quote;
  }
  return out += text.substr(done);
}

SymbolicText::SymbolicText(std::string_view text) : text_(text) {
  if (text.size() > kLongestOrdered) return;
  try {
    Expression term = parse_expression(text);
    if (srepr(term) == text) term_ = std::move(term);
  } catch (const schemagen::DataError&) {
  }
}

std::string_view SymbolicText::only_symbol() const {
  if (term_) return term_->symbol();
  const Token token = next_token(text_, 0);
  const bool is_name = token.kind == Token::Kind::name && token.text.size() == text_.size();
  return is_name && is_plain_symbol(text_, token) ? std::string_view(text_) : std::string_view();
}

void SymbolicText::for_each_symbol(const std::function<void(std::string_view symbol)>& visit) const {
  if (term_) return pt2::for_each_symbol(*term_, visit);
  replace_symbols(text_, [&](std::string_view symbol) {
    visit(symbol);
    return std::string();
  });
}

bool SymbolicText::order(const NumberOf& number_of) {
  if (term_) order_operands(*term_, number_of);
  return term_.has_value();
}

std::string SymbolicText::text(const std::function<std::string(std::string_view symbol)>& new_name) const {
  if (!term_) return replace_symbols(text_, new_name);
  Expression renamed = *term_;
  rename(renamed, new_name);
  return srepr(renamed);
}

}  // namespace pt2
