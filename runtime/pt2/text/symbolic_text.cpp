#include "pt2/text/symbolic_text.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "pt2/text/identifier.h"

namespace pt2 {
namespace {

constexpr std::size_t kDeepest = 200;
constexpr std::size_t kLongest = std::size_t{4} << 10;  // bytes; ordering takes their square
constexpr std::string_view kSymbol = "Symbol('";

bool is_word(char c) {
  return is_letter(c) || is_digit(c);
}

/// Where the quoted text that begins at `at` ends.
std::size_t end_of_quotes(std::string_view text, std::size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote) at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

/// Names that stand for no symbol.
bool is_constant(std::string_view name) {
  for (const std::string_view constant :
       {"oo", "int_oo", "zoo", "nan", "pi", "E", "I", "true", "false", "True", "False", "None", "and", "or",
        "not", "in", "is", "if", "else"}) {
    if (name == constant) return true;
  }
  return false;
}

bool is_plain_symbol(std::string_view name, bool is_called) {
  return !is_called && !is_constant(name);
}

bool is_commutative(std::string_view head) {
  for (const std::string_view commutative :
       {"Add", "Mul", "Max", "Min", "And", "Or", "Equality", "Unequality"}) {
    if (head == commutative) return true;
  }
  return false;
}

bool is_srepr(std::string_view text) {
  return text.find(kSymbol) != text.npos;
}

/// `text` with the symbols of an srepr, or of plain text, replaced.
std::string replace_symbols(std::string_view text,
                            const std::function<std::string(std::string_view symbol)>& replace) {
  if (!is_srepr(text)) {
    return replace_identifiers(text, [&](std::string_view name, bool is_called) {
      return is_plain_symbol(name, is_called) ? replace(name) : std::string(name);
    });
  }
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = text.find(kSymbol); at != text.npos; at = text.find(kSymbol, done)) {
    const std::size_t start = at + kSymbol.size();
    const std::size_t end = std::min(text.find('\'', start), text.size());
    out += text.substr(done, start - done);
    if (end > start) out += replace(text.substr(start, end - start));
    done = end;
  }
  return out += text.substr(done);
}

}  // namespace

std::string replace_identifiers(
    std::string_view text, const std::function<std::string(std::string_view name, bool is_called)>& replace) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    const char first = text[at];
    if (first == '\'' || first == '"') {
      at = end_of_quotes(text, at);
    } else if (is_word(first)) {
      while (at < text.size() && is_word(text[at])) ++at;
      const char before = start == 0 ? ' ' : text[start - 1];
      const char after = at < text.size() ? text[at] : ' ';
      const bool is_keyword = after == '=' && text.substr(at, 2) != "==";
      if (is_letter(first) && before != '.' && !is_keyword) {
        out += replace(text.substr(start, at - start), after == '(');
        continue;
      }
    } else {
      ++at;
    }
    out += text.substr(start, at - start);
  }
  return out;
}

bool SymbolicText::Term::is_symbol() const {
  return is_call && text == "Symbol" && !operands.empty() && !operands[0].is_call &&
         operands[0].text.size() > 2 && operands[0].text[0] == '\'' && operands[0].text.back() == '\'';
}

std::string_view SymbolicText::Term::symbol() const {
  return std::string_view(operands[0].text).substr(1, operands[0].text.size() - 2);
}

SymbolicText::SymbolicText(std::string_view text) : text_(text) {
  if (!is_srepr(text) || text.size() > kLongest) return;
  std::size_t at = 0;
  std::optional<Term> term = parse(text, at, 0);
  if (term && at == text.size()) term_ = std::move(term);
}

std::optional<SymbolicText::Term> SymbolicText::parse(std::string_view text, std::size_t& at,
                                                      std::size_t depth) {
  if (depth > kDeepest) return std::nullopt;
  Term term;
  const std::size_t start = at;
  while (at < text.size() && text[at] != '(' && text[at] != ')' && text[at] != ',') {
    at = text[at] == '\'' || text[at] == '"' ? end_of_quotes(text, at) : at + 1;
  }
  term.text = text.substr(start, at - start);
  if (at == text.size() || text[at] != '(') return term;
  ++at;
  term.is_call = true;
  while (at < text.size() && text[at] != ')') {
    std::optional<Term> operand = parse(text, at, depth + 1);
    if (!operand) return std::nullopt;
    term.operands.push_back(*std::move(operand));
    if (text.substr(at, 2) == ", ")
      at += 2;
    else if (at == text.size() || text[at] != ')')
      return std::nullopt;
  }
  if (at == text.size()) return std::nullopt;
  ++at;
  return term;
}

std::string_view SymbolicText::only_symbol() const {
  if (term_) return term_->is_symbol() ? term_->symbol() : std::string_view();
  const bool is_name =
      !text_.empty() && is_letter(text_[0]) && std::all_of(text_.begin(), text_.end(), is_word);
  return is_name && is_plain_symbol(text_, false) ? std::string_view(text_) : std::string_view();
}

void SymbolicText::for_each_symbol(const Term& term, const std::function<void(std::string_view)>& visit) {
  if (term.is_symbol()) return visit(term.symbol());
  for (const Term& operand : term.operands) for_each_symbol(operand, visit);
}

void SymbolicText::for_each_symbol(const std::function<void(std::string_view symbol)>& visit) const {
  if (term_) return for_each_symbol(*term_, visit);
  replace_symbols(text_, [&](std::string_view symbol) {
    visit(symbol);
    return std::string();
  });
}

/// Orders the operands, and returns a text that does not depend on names.
std::string SymbolicText::order(Term& term, const NumberOf& number_of) {
  if (!term.is_call) return term.text;
  std::vector<std::pair<std::string, Term>> operands;
  const std::size_t first = term.is_symbol() ? 1 : 0;
  for (std::size_t i = first; i < term.operands.size(); ++i) {
    std::string key = order(term.operands[i], number_of);
    operands.emplace_back(std::move(key), std::move(term.operands[i]));
  }
  if (is_commutative(term.text)) {
    std::stable_sort(operands.begin(), operands.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  std::string key = term.text + "(";
  if (term.is_symbol()) {
    const std::optional<std::size_t> number = number_of(term.symbol());
    const std::string digits = number ? std::to_string(*number) : "";
    // Numbers of any length compare as numbers; what has none comes after them.
    key += number ? std::string(1, static_cast<char>('0' + digits.size())) + digits : "~";
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    key += "," + operands[i].first;
    term.operands[first + i] = std::move(operands[i].second);
  }
  return key + ")";
}

bool SymbolicText::order(const NumberOf& number_of) {
  if (term_) order(*term_, number_of);
  return term_.has_value();
}

void SymbolicText::append(std::string& out, const Term& term,
                          const std::function<std::string(std::string_view)>& new_name) {
  out += term.text;
  if (!term.is_call) return;
  out += '(';
  for (std::size_t i = 0; i < term.operands.size(); ++i) {
    if (i > 0) out += ", ";
    if (i == 0 && term.is_symbol()) {
      out += "'" + new_name(term.symbol()) + "'";
    } else {
      append(out, term.operands[i], new_name);
    }
  }
  out += ')';
}

std::string SymbolicText::text(const std::function<std::string(std::string_view symbol)>& new_name) const {
  if (!term_) return replace_symbols(text_, new_name);
  std::string out;
  append(out, *term_, new_name);
  return out;
}

}  // namespace pt2
