#include "schemagen/json/writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <new>
#include <utility>

#include "schemagen/json/base64.h"
#include "schemagen/json/document.h"
#include "schemagen/value/error.h"
#include "schemagen/value/utf8.h"

namespace schemagen {
namespace {

constexpr char kHex[] = "0123456789abcdef";

/// What a byte of a string is written as: itself (0), a backslash and this letter, or an escape of its code
/// (u).
struct EscapeTable {
  char letters[256] = {};
  constexpr EscapeTable() {
    for (int c = 0; c < 256; ++c) letters[c] = c < 0x20 || c >= 0x7f ? 'u' : '\0';
    letters[static_cast<unsigned char>('"')] = '"';
    letters[static_cast<unsigned char>('\\')] = '\\';
    letters[static_cast<unsigned char>('\n')] = 'n';
    letters[static_cast<unsigned char>('\r')] = 'r';
    letters[static_cast<unsigned char>('\t')] = 't';
    letters[static_cast<unsigned char>('\b')] = 'b';
    letters[static_cast<unsigned char>('\f')] = 'f';
  }
};
constexpr EscapeTable kEscapes;

/// Whether all eight bytes of `word` stand for themselves (each test sets the top bit of a byte that fails; a
/// carry can make it report a plain byte above a failing one, never miss a failing one).
bool all_plain(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101010101010101u;
  constexpr std::uint64_t kHigh = 0x8080808080808080u;
  const auto has_zero = [](std::uint64_t x) { return (x - kOnes) & ~x & kHigh; };
  const std::uint64_t below_space = (word - kOnes * 0x20) & ~word & kHigh;
  const std::uint64_t quote = has_zero(word ^ (kOnes * '"'));
  const std::uint64_t backslash = has_zero(word ^ (kOnes * '\\'));
  const std::uint64_t del = has_zero(word ^ (kOnes * 0x7f));
  return (below_space | quote | backslash | del | (word & kHigh)) == 0;
}

char* put_hex4(char* at, char32_t unit) {
  *at++ = '\\';
  *at++ = 'u';
  for (int shift = 12; shift >= 0; shift -= 4) *at++ = kHex[(unit >> shift) & 15];
  return at;
}

/// Python's repr of a finite double: shortest digits that read back as the same value, with an exponent if
/// that is below -4 or above 15, else with a decimal point. At most 25 bytes; gives the end.
char* put_repr(char* at, double value) {
  char scientific[32];
  const auto [end, error] =
      std::to_chars(scientific, scientific + sizeof scientific, value, std::chars_format::scientific);
  static_cast<void>(error);  // 32 bytes hold every double
  std::string_view text(scientific, static_cast<std::size_t>(end - scientific));
  if (text.front() == '-') {
    *at++ = '-';
    text.remove_prefix(1);
  }
  const std::size_t e = text.find('e');
  int exponent = 0;
  const bool negative = text[e + 1] == '-';
  std::from_chars(text.data() + e + 2, text.data() + text.size(), exponent);
  if (negative) exponent = -exponent;
  if (exponent < -4 || exponent > 15) {  // as to_chars has it: sign and at least two digits
    std::memcpy(at, text.data(), text.size());
    return at + text.size();
  }
  char digits[24];
  std::size_t count = 0;
  for (const char c : text.substr(0, e)) {
    if (c != '.') digits[count++] = c;
  }
  const auto digit = [&](std::size_t i) { return i < count ? digits[i] : '0'; };
  if (exponent < 0) {
    *at++ = '0';
    *at++ = '.';
    for (int i = exponent + 1; i < 0; ++i) *at++ = '0';
    std::memcpy(at, digits, count);
    return at + count;
  }
  const std::size_t whole = static_cast<std::size_t>(exponent) + 1;
  for (std::size_t i = 0; i < whole; ++i) *at++ = digit(i);
  *at++ = '.';
  for (std::size_t i = whole; i < std::max(count, whole + 1); ++i) *at++ = digit(i);
  return at;
}

/// The path of the value that was to follow a text that breaks off, e.g. `a.b[2]` after `{"a": {"b": [1, 2,
/// `; where a key was to follow, that of the object. Completed by a placeholder and the missing brackets, the
/// text is a document, which knows its paths.
std::string path_at_end(std::string_view text) {
  std::string brackets;  // that close what is open, innermost last
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      const std::size_t start = i;
      for (++i; i < text.size() && text[i] != '"'; ++i) i += text[i] == '\\' ? 1 : 0;
      if (i >= text.size()) text = text.substr(0, start);  // it breaks off within a string
    } else if (c == '{' || c == '[') {
      brackets += c == '{' ? '}' : ']';
    } else if (c == '}' || c == ']') {
      if (!brackets.empty()) brackets.pop_back();
    }
  }
  const std::size_t last = text.find_last_not_of(' ');
  const bool at_key =
      last != std::string_view::npos && !brackets.empty() && brackets.back() == '}' && text[last] != ':';
  std::string completed = std::string(text) + (at_key ? "\"\": null" : "null");
  completed.append(brackets.rbegin(), brackets.rend());

  JsonReadOptions options;
  options.limits.depth = brackets.size() + 1;
  options.limits.input_bytes = completed.size();
  const JsonDocument document(completed, options);
  const std::size_t words = document.tape().words[0] & JsonTape::kPayload;
  const std::size_t first_bracket = words - 1 - brackets.size();
  return document.path(at_key ? first_bracket : first_bracket - 1);
}

}  // namespace

void JsonWriter::grow(std::size_t n) {
  const std::size_t wanted = std::max({size_ + n, capacity_ * 2, std::size_t{1} << 12});
  char* const grown = static_cast<char*>(std::realloc(buffer_.get(), wanted));
  if (grown == nullptr) throw std::bad_alloc();
  static_cast<void>(buffer_.release());  // realloc has freed or moved it
  buffer_.reset(grown);
  capacity_ = wanted;
}

void JsonWriter::integer(std::int64_t value) {
  constexpr std::size_t kLongest = 20;
  char* const at = room(kLongest);
  size_ = static_cast<std::size_t>(std::to_chars(at, at + kLongest, value).ptr - buffer_.get());
}

void JsonWriter::floating(double value) {
  if (std::isnan(value)) return text("\"NaN\"");
  if (std::isinf(value)) return value < 0 ? text("\"-Infinity\"") : text("\"Infinity\"");
  constexpr std::size_t kLongest = 32;
  size_ = static_cast<std::size_t>(put_repr(room(kLongest), value) - buffer_.get());
}

void JsonWriter::string(std::string_view value) {
  // Always room for two bytes for each that is left, as most escapes take, and for the words that are stored
  // whole.
  constexpr std::size_t kSlack = 16;
  char* at = room(2 * value.size() + kSlack);
  *at++ = '"';
  const char* from = value.data();
  const char* const end = from + value.size();
  while (from != end) {
    if (end - from >= 8) {
      std::uint64_t word;
      std::memcpy(&word, from, 8);
      if (all_plain(word)) {
        std::memcpy(at, &word, 8);
        at += 8;
        from += 8;
        continue;
      }
    }
    // Byte by byte up to and over the next one that has to be escaped.
    char letter = '\0';
    while (from != end && (letter = kEscapes.letters[static_cast<unsigned char>(*from)]) == '\0')
      *at++ = *from++;
    if (letter == '\0') break;
    if (letter != 'u') {
      *at++ = '\\';
      *at++ = letter;
      ++from;
      continue;
    }
    size_ = static_cast<std::size_t>(at - buffer_.get());
    from += escape({from, static_cast<std::size_t>(end - from)});
    at = room(2 * static_cast<std::size_t>(end - from) + kSlack);
  }
  *at++ = '"';
  size_ = static_cast<std::size_t>(at - buffer_.get());
}

std::size_t JsonWriter::escape(std::string_view rest) {
  std::size_t length = 0;
  const auto code = next_code_point(rest, length);
  if (!code) fail("a string that is not valid UTF-8");
  constexpr std::size_t kLongest = 12;  // two \uXXXX
  char* at = room(kLongest);
  if (*code < 0x10000) {
    at = put_hex4(at, *code);
  } else {
    at = put_hex4(at, 0xd800 + ((*code - 0x10000) >> 10));
    at = put_hex4(at, 0xdc00 + ((*code - 0x10000) & 0x3ff));
  }
  size_ = static_cast<std::size_t>(at - buffer_.get());
  return length;
}

void JsonWriter::fail(std::string reason) const {
  throw DataError(std::move(reason), path_at_end(view()));
}

void JsonWriter::too_deep() const {
  fail("nested more than " + std::to_string(options_.limits.depth) + " levels deep");
}

void fail_unset_union(const JsonWriter& out) {
  out.fail("a union without a member cannot be written");
}

void write_json(JsonWriter& out, const Bytes& value) {
  out.string(to_base64(value));
}

}  // namespace schemagen
