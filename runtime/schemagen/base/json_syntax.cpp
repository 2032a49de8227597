#include "schemagen/base/json_syntax.h"

#include <utility>

#include "schemagen/base/escapes.h"
#include "schemagen/base/float_chars.h"
#include "schemagen/base/quote.h"

namespace schemagen {
namespace {

constexpr std::size_t kEscapedUnit = 6;  // \uXXXX

std::optional<unsigned> escaped_unit(std::string_view json, std::size_t at) {
  if (json.size() < kEscapedUnit || at > json.size() - kEscapedUnit || json[at] != '\\' ||
      json[at + 1] != 'u') {
    return std::nullopt;
  }
  unsigned unit = 0;
  const char* const end = json.data() + at + kEscapedUnit;
  const auto [stop, error] = std::from_chars(json.data() + at + 2, end, unit, 16);
  if (error != std::errc() || stop != end) return std::nullopt;
  return unit;
}

class Syntax {
 public:
  /// kEscapeBlock bytes after the text must be readable.
  Syntax(std::string_view text, std::size_t depth) : text_(text), depth_left_(depth) {}

  bool document() { return value() && (skip_space(), at_ == text_.size()); }
  /// Empty if the text violates the grammar.
  const std::string& fault() const { return fault_; }

 private:
  bool value() {
    skip_space();
    if (peek() == '{') return sequence('}', &Syntax::entry);
    if (peek() == '[') return sequence(']', &Syntax::value);
    if (peek() == '"') return string();
    for (const std::string_view word : {"true", "false", "null"}) {
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return true;
    }
    return double_number();
  }

  bool sequence(char end, bool (Syntax::*item)()) {
    if (depth_left_ == 0) return false;
    --depth_left_;
    const auto first_key = static_cast<std::ptrdiff_t>(keys_.size());
    ++at_;
    skip_space();
    if (!take(end)) {
      do {
        if (!(this->*item)()) return false;
        skip_space();
      } while (take(','));
      if (!take(end)) return false;
    }
    std::sort(keys_.begin() + first_key, keys_.end());
    const auto duplicate = std::adjacent_find(keys_.begin() + first_key, keys_.end());
    if (duplicate != keys_.end()) return refuse(" has the duplicate key " + schemagen::quoted(*duplicate));
    keys_.erase(keys_.begin() + first_key, keys_.end());
    ++depth_left_;
    return true;
  }

  bool entry() {
    skip_space();
    std::string_view key;
    if (peek() != '"' || !string(&key)) return false;
    keys_.emplace_back(key);
    skip_space();
    return take(':') && value();
  }

  /// `value` is valid until the next string.
  bool string(std::string_view* value = nullptr) {
    const auto closed = close_string(text_.data() + at_ + 1, text_.data() + text_.size(), unescaped_);
    if (!closed) return false;
    at_ = static_cast<std::size_t>(closed->quote + 1 - text_.data());
    if (value != nullptr) *value = closed->value;
    return true;
  }

  bool double_number() {
    const JsonNumber number = scan_json_number(text_.substr(at_));
    const std::string_view token = text_.substr(at_, number.size);
    at_ += number.size;
    if (number.fault != nullptr) return false;
    constexpr std::size_t kAlwaysFits = 300;
    if (token.size() < kAlwaysFits && token.find_first_of("eE") == std::string_view::npos) return true;
    double value = 0;
    const bool fits = parse_float(token.data(), token.data() + token.size(), value).ec == std::errc();
    return fits || is_below_doubles(token) ||
           refuse(" contains a number that is too large for a 64-bit float");
  }

  bool refuse(std::string fault) {
    fault_ = std::move(fault);
    return false;
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
  std::vector<std::string> keys_;  // of the open objects
  std::string unescaped_;
  std::string fault_;
};

}  // namespace

std::string any_fault(std::string_view text, std::size_t depth) {
  std::string readable(text);
  readable.append(kEscapeBlock, ' ');
  Syntax syntax(std::string_view(readable).substr(0, text.size()), depth);
  if (syntax.document()) return {};
  return syntax.fault().empty() ? " is not JSON or is nested too deeply" : syntax.fault();
}

JsonNumber scan_json_number(std::string_view text) {
  std::size_t at = 0;
  const auto take = [&](std::string_view any) {
    const bool is_there = at < text.size() && any.find(text[at]) != std::string_view::npos;
    at += is_there ? 1 : 0;
    return is_there;
  };
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at != start;
  };
  take("-");
  if (!take("0") && !digits()) return {at, "expected a value"};
  if (take(".") && !digits()) return {at, "expected a digit after the decimal point"};
  if (take("eE")) {
    take("+-");
    if (!digits()) return {at, "expected a digit in the exponent"};
  }
  return {at, nullptr};
}

bool is_json_number(std::string_view text) {
  const JsonNumber number = scan_json_number(text);
  return number.fault == nullptr && number.size == text.size();
}

bool is_below_doubles(std::string_view number) {
  const std::size_t mantissa = std::min(number.find_first_of("eE"), number.size());
  const std::size_t point = std::min(number.find('.'), mantissa);
  const auto power = static_cast<std::int64_t>(point) -
                     static_cast<std::int64_t>(std::min(number.find_first_of("123456789"), mantissa));
  if (mantissa == number.size()) return power < 0;
  const bool has_plus = number[mantissa + 1] == '+';
  const char* const digits = number.data() + mantissa + (has_plus ? 2 : 1);
  std::int64_t exponent = 0;
  if (std::from_chars(digits, number.data() + number.size(), exponent).ec != std::errc())
    return *digits == '-';
  return exponent < -power;
}

std::optional<EscapedCodePoint> escaped_code_point(std::string_view json, std::size_t at) {
  const std::optional<unsigned> first = escaped_unit(json, at);
  if (!first) return std::nullopt;
  if (*first < 0xd800 || *first > 0xdfff) return EscapedCodePoint{*first, kEscapedUnit};
  const std::optional<unsigned> second = escaped_unit(json, at + kEscapedUnit);
  if (*first > 0xdbff || !second || *second < 0xdc00 || *second > 0xdfff) return std::nullopt;
  return EscapedCodePoint{0x10000 + ((*first - 0xd800) << 10) + (*second - 0xdc00), 2 * kEscapedUnit};
}

std::optional<std::size_t> find_lone_surrogate(std::string_view json) {
  for (std::size_t at = json.find('\\'); at < json.size(); at = json.find('\\', at + 2)) {
    const auto code_point = escaped_code_point(json, at);
    if (!code_point && escaped_unit(json, at)) return at;
    if (code_point) at += code_point->size - 2;
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
