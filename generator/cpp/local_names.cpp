#include "cpp/local_names.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "text/identifier.h"

namespace generator {
namespace {

struct Token {
  std::size_t begin;
  std::string_view text;  // a word, a number, `::`, `->` or one other character
};

/// Where a string or character that begins at `at` with `quote` ends.
std::size_t end_of_quoted(std::string_view source, std::size_t at, char quote) {
  for (++at; at < source.size() && source[at] != quote; ++at) {
    if (source[at] == '\\') ++at;
  }
  return std::min(at + 1, source.size());
}

/// `at` is that of the quotation mark of `R"mark(...)mark"`.
std::size_t end_of_raw_string(std::string_view source, std::size_t at) {
  const std::size_t open = source.find('(', at);
  const std::string end = ")" + std::string(source.substr(at + 1, open - at - 1)) + "\"";
  return std::min(source.find(end, open), source.size() - end.size()) + end.size();
}

/// Where a directive that begins at `at` ends, with the lines that go on.
std::size_t end_of_directive(std::string_view source, std::size_t at) {
  for (;;) {
    at = std::min(source.find('\n', at), source.size());
    if (at == source.size() || source[at - 1] != '\\') return at;
    ++at;
  }
}

/// The end of what is no token at `at`: a blank, a comment, a directive or a literal; `at` if there is none.
std::size_t skip(std::string_view source, std::size_t at, const std::vector<Token>& before) {
  const std::string_view rest = source.substr(at);
  const auto begins = [&](std::string_view start) { return rest.substr(0, start.size()) == start; };
  if (rest.front() == ' ' || rest.front() == '\n' || rest.front() == '\t') return at + 1;
  if (begins("//")) return std::min(source.find('\n', at), source.size());
  if (begins("/*")) return std::min(source.find("*/", at), source.size() - 2) + 2;
  if (begins("#")) return end_of_directive(source, at);
  if (begins("'")) return end_of_quoted(source, at, '\'');
  if (!begins("\"")) return at;
  const bool is_raw = !before.empty() && before.back().text == "R" && before.back().begin + 1 == at;
  return is_raw ? end_of_raw_string(source, at) : end_of_quoted(source, at, '"');
}

std::vector<Token> tokens_of(std::string_view source) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < source.size();) {
    if (const std::size_t end = skip(source, at, tokens); end != at) {
      at = end;
      continue;
    }
    std::size_t end = at + 1;
    const bool is_number = is_digit(source[at]);
    if (is_number || is_letter(source[at])) {
      const auto goes_on = [&](char c) {
        return is_letter(c) || is_digit(c) || (is_number && (c == '\'' || c == '.'));
      };
      while (end < source.size() && goes_on(source[end])) ++end;
    } else if (const auto two = source.substr(at, 2); two == "::" || two == "->") {
      ++end;
    }
    tokens.push_back({at, source.substr(at, end - at)});
    at = end;
  }
  return tokens;
}

/// Reads the declarations of a file, as far as to find their names.
class DeclarationReader {
 public:
  explicit DeclarationReader(std::string_view source) : tokens_(tokens_of(source)) {}

  DeclaredNames run() {
    while (at_ < tokens_.size()) declarations(false);
    return std::move(names_);
  }

 private:
  std::string_view text(std::size_t at) const { return at < tokens_.size() ? tokens_[at].text : ""; }
  bool is_name(std::size_t at) const { return is_identifier(text(at)); }

  /// Up to behind the closing brace.
  void declarations(bool is_local) {
    while (at_ < tokens_.size() && text(at_) != "}") {
      if (text(at_) == "inline" && text(at_ + 1) == "namespace") ++at_;
      if (text(at_) == "namespace" && text(at_ + 2) != "=") {
        name_space(is_local);
      } else {
        declaration(is_local);
      }
    }
    ++at_;
  }

  void name_space(bool is_local) {
    const std::string_view name = text(at_ + 1);
    while (at_ < tokens_.size() && text(at_) != "{") ++at_;
    ++at_;
    if (is_local && name != "{") {
      // What is in it is named through it.
      names_.local.emplace(name);
      DeclaredNames outside = names_;
      declarations(is_local);
      names_ = std::move(outside);
    } else {
      declarations(is_local || name == "{");
    }
  }

  void declaration(bool is_local) {
    skip_prefix();
    const std::string_view first = text(at_);
    const bool is_type = first == "struct" || first == "class" || first == "union" || first == "enum";
    const std::size_t begin = at_;
    const std::size_t name = is_type                                    ? name_of_type()
                             : first == "using" || first == "namespace" ? at_ + 1
                                                                        : name_before_delimiter();
    const bool is_other = first == "static_assert" || first == ";" ||
                          (first == "using" && text(name + 1) != "=") ||
                          (name > begin && text(name - 1) == "::");
    if (!is_other && is_name(name)) (is_local ? names_.local : names_.shared).emplace(text(name));
    skip_rest(!is_type && text(name + 1) == "(");
  }

  /// `template <...>` and `[[...]]`.
  void skip_prefix() {
    for (;;) {
      if (text(at_) == "template") {
        ++at_;
        skip_group('<', '>');
      } else if (text(at_) == "[" && text(at_ + 1) == "[") {
        skip_group('[', ']');
      } else {
        return;
      }
    }
  }

  void skip_group(char open, char close) {
    int depth = 0;
    do {
      if (text(at_)[0] == open) ++depth;
      if (text(at_)[0] == close) --depth;
      ++at_;
    } while (depth > 0 && at_ < tokens_.size());
  }

  std::size_t name_of_type() const {
    std::size_t at = at_ + 1;
    if (text(at) == "class" || text(at) == "struct") ++at;
    return at;
  }

  /// The last word before the parameters or the value of a function or variable; beyond all for an operator.
  std::size_t name_before_delimiter() const {
    int angles = 0;
    for (std::size_t at = at_; at < tokens_.size(); ++at) {
      if (text(at) == "operator") break;
      if (text(at) == "<") ++angles;
      if (text(at) == ">") --angles;
      const bool is_delimiter = std::string_view("(={[;").find(text(at)) != std::string_view::npos;
      if (angles == 0 && is_delimiter) return at - 1;
    }
    return tokens_.size();
  }

  /// To the end of the declaration: its `;`, or the body of a function.
  void skip_rest(bool is_function) {
    bool has_initializers = false;  // of members, behind a `:`
    for (; at_ < tokens_.size(); ++at_) {
      const std::string_view token = text(at_);
      if (token == ";") break;
      if (token == "(") {
        skip_group('(', ')');
        --at_;
      } else if (token == ":") {
        has_initializers = true;
      } else if (token == "{") {
        const bool is_initializer = has_initializers && (is_name(at_ - 1) || text(at_ - 1) == ">");
        skip_group('{', '}');
        if (is_function && !is_initializer && text(at_) != ";") return;
        --at_;
      } else if (token == "}") {
        return;
      }
    }
    ++at_;
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  DeclaredNames names_;
};

}  // namespace

DeclaredNames declared_names(std::string_view source) {
  return DeclarationReader(source).run();
}

std::string with_suffix(std::string_view source, const std::set<std::string>& names,
                        std::string_view suffix) {
  std::string result;
  std::size_t done = 0;
  std::string_view before;
  for (const Token& token : tokens_of(source)) {
    const bool is_member = before == "." || before == "->" || before == "::";
    if (!is_member && names.count(std::string(token.text)) != 0) {
      const std::size_t end = token.begin + token.text.size();
      result.append(source.substr(done, end - done)).append(suffix);
      done = end;
    }
    before = token.text;
  }
  return result.append(source.substr(done));
}

}  // namespace generator
