#include "schemagen/base/json_syntax.h"
#include "schemagen/base/ascii.h"
#include "schemagen/base/utf8.h"

#include <algorithm>
#include <charconv>

namespace schemagen {
namespace {

class Syntax {
 public:
  Syntax(std::string_view text, std::size_t depth) : text_(text), depth_left_(depth) {}

  bool only_number() { return number() && at_ == text_.size(); }
  bool document() { return value() && (skip_space(), at_ == text_.size()); }

 private:
  bool value() {
    skip_space();
    switch (peek()) {
      case '{':
        return sequence('}', &Syntax::entry);
      case '[':
        return sequence(']', &Syntax::value);
      case '"':
        return string();
      case 't':
        return word("true");
      case 'f':
        return word("false");
      case 'n':
        return word("null");
      default:
        return number();
    }
  }

  bool sequence(char end, bool (Syntax::*item)()) {
    if (depth_left_ == 0) return false;
    --depth_left_;
    ++at_;
    skip_space();
    if (!take(end)) {
      do {
        if (!(this->*item)()) return false;
        skip_space();
      } while (take(','));
      if (!take(end)) return false;
    }
    ++depth_left_;
    return true;
  }

  bool entry() {
    skip_space();
    if (peek() != '"' || !string()) return false;
    skip_space();
    return take(':') && value();
  }

  bool string() {
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') return ++at_, true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c == '\\' && !escape()) return false;
    }
    return false;
  }

  bool escape() {
    ++at_;
    if (peek() != 'u')
      return at_ < text_.size() && std::string_view("\"\\/bfnrt").find(text_[at_]) != text_.npos;
    const auto unit = escaped_unit(text_, at_ - 1);
    if (!unit) return false;
    at_ += 4;
    if (*unit < 0xd800 || *unit > 0xdfff) return true;
    const auto second = escaped_unit(text_, at_ + 1);
    at_ += 6;
    return *unit < 0xdc00 && second && *second >= 0xdc00 && *second <= 0xdfff;
  }

  bool number() {
    take('-');
    if (!take('0') && !digits()) return false;
    if (take('.') && !digits()) return false;
    if (!take('e') && !take('E')) return true;
    if (!take('+')) take('-');
    return digits();
  }

  bool digits() {
    if (!is_digit(peek())) return false;
    while (is_digit(peek())) ++at_;
    return true;
  }

  bool word(std::string_view expected) {
    if (text_.substr(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
  }

  /// NUL at the end, because it starts no JSON.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void skip_space() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  std::string_view text_;
  std::size_t depth_left_;
  std::size_t at_ = 0;
};

}  // namespace

bool is_json(std::string_view text, std::size_t depth) {
  return Syntax(text, depth).document() && !find_bad_utf8(text);
}

bool is_json_number(std::string_view text) {
  return Syntax(text, 0).only_number();
}

std::optional<unsigned> escaped_unit(std::string_view json, std::size_t at) {
  constexpr std::size_t kSize = 6;
  if (json.size() < kSize || at > json.size() - kSize || json[at] != '\\' || json[at + 1] != 'u') {
    return std::nullopt;
  }
  unsigned unit = 0;
  const char* const end = json.data() + at + kSize;
  const auto [stop, error] = std::from_chars(json.data() + at + 2, end, unit, 16);
  if (error != std::errc() || stop != end) return std::nullopt;
  return unit;
}

bool may_hold_lone_surrogates(std::string_view json) {
  if (json.size() < 3) return false;
  // Branch-free for the vectorizer: other escapes are too frequent to search from one to the next.
  unsigned char found = 0;
  const char* const at = json.data();
  for (std::size_t i = 0; i < json.size() - 2; ++i) {
    found |= static_cast<unsigned char>((at[i] == '\\') & (at[i + 1] == 'u') & ((at[i + 2] | 0x20) == 'd'));
  }
  return found != 0;
}

std::optional<std::size_t> find_lone_surrogate(std::string_view json) {
  for (std::size_t at = json.find('\\'); at < json.size(); at = json.find('\\', at + 2)) {
    const unsigned unit = escaped_unit(json, at).value_or(0);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const unsigned second = unit < 0xdc00 ? escaped_unit(json, at + 6).value_or(0) : 0;
    if (second < 0xdc00 || second > 0xdfff) return at;
    at += 6;
  }
  return std::nullopt;
}

std::optional<std::size_t> find_control_character(std::string_view json) {
  const auto is_control = [](char c) {
    return (static_cast<unsigned char>(c) < 0x20) & (c != '\t') & (c != '\n') & (c != '\r');
  };
  int found = 0;
  for (const char c : json) found |= is_control(c);
  if (found == 0) return std::nullopt;
  return static_cast<std::size_t>(std::find_if(json.begin(), json.end(), is_control) - json.begin());
}

}  // namespace schemagen
