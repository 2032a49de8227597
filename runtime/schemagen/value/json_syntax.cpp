#include "schemagen/value/json_syntax.h"

#include <cstdint>

#include "schemagen/value/utf8.h"

namespace schemagen {
namespace {

/// Each function moves past what it is named for; false if that is not what stands there.
class Syntax {
 public:
  Syntax(std::string_view text, std::size_t depth) : text_(text), depth_left_(depth) {}

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

  /// Up to the last character of the escape.
  bool escape() {
    ++at_;
    if (peek() != 'u')
      return at_ < text_.size() && std::string_view("\"\\/bfnrt").find(text_[at_]) != text_.npos;
    const std::uint32_t unit = hex4();
    if (unit < 0xd800 || unit > 0xdfff) return unit != kNoHex;
    if (unit > 0xdbff || text_.substr(at_ + 1, 2) != "\\u") return false;
    at_ += 2;
    const std::uint32_t second = hex4();
    return second >= 0xdc00 && second <= 0xdfff;
  }

  static constexpr std::uint32_t kNoHex = 0x10000;

  /// The number of the four digits behind at_, moving to the last of them; kNoHex if they are not there.
  std::uint32_t hex4() {
    std::uint32_t unit = 0;
    for (int i = 0; i < 4; ++i) {
      ++at_;
      const char c = peek();
      const char low = static_cast<char>(c | 0x20);
      if (is_digit(c)) {
        unit = unit * 16 + static_cast<std::uint32_t>(c - '0');
      } else if (low >= 'a' && low <= 'f') {
        unit = unit * 16 + static_cast<std::uint32_t>(low - 'a' + 10);
      } else {
        return kNoHex;
      }
    }
    return unit;
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

  /// The character at at_; NUL, which no JSON begins with, at the end.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }

  std::string_view text_;
  std::size_t depth_left_;
  std::size_t at_ = 0;
};

}  // namespace

bool is_json(std::string_view text, std::size_t depth) {
  return Syntax(text, depth).document() && !find_bad_utf8(text);
}

}  // namespace schemagen
