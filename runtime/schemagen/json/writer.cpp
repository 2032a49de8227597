#include "schemagen/json/writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <new>

#include "schemagen/base/base64.h"
#include "schemagen/base/float_text.h"
#include "schemagen/base/json_syntax.h"
#include "schemagen/base/unwritable.h"
#include "schemagen/base/utf8.h"
#include "schemagen/json/document.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace schemagen {
namespace {

constexpr char kHex[] = "0123456789abcdef";

/// Each byte is written as itself (0), or after a backslash as this letter; u means a \u escape.
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

/// Each test sets the top bit of a failing byte. A carry may report a plain byte above a failing one, but
/// never misses one.
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

#ifdef __SSE2__
constexpr std::ptrdiff_t kLane = 16;
constexpr std::ptrdiff_t kTwoLanes = 2 * kLane;

unsigned to_escape(__m128i lane) {
  const __m128i quote = _mm_cmpeq_epi8(lane, _mm_set1_epi8('"'));
  const __m128i backslash = _mm_cmpeq_epi8(lane, _mm_set1_epi8('\\'));
  const __m128i del = _mm_cmpeq_epi8(lane, _mm_set1_epi8(0x7f));
  const __m128i rare = _mm_cmplt_epi8(lane, _mm_set1_epi8(0x20));  // non-ASCII bytes are negative
  const __m128i any = _mm_or_si128(_mm_or_si128(quote, backslash), _mm_or_si128(del, rare));
  return static_cast<unsigned>(_mm_movemask_epi8(any));
}

__m128i lane_at(const char* at) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
}

void put_lane(char* at, __m128i lane) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(at), lane);
}

void copy_lanes(char* at, const char* from) {
  const __m128i first = lane_at(from);
  const __m128i second = lane_at(from + kLane);
  put_lane(at, first);
  put_lane(at + kLane, second);
}

/// Like put_run(), for 32 bytes with any one-letter escapes; 32 more must be readable. Finds all escapes
/// before it writes the first, which suits long texts with many.
[[gnu::always_inline]] inline char* put_lanes(char* at, const char*& from) {
  const char* const end = from + kTwoLanes;
  unsigned found = to_escape(lane_at(from)) | (to_escape(lane_at(from + kLane)) << kLane);
  const char* const begin = from;
  for (; found != 0; found &= found - 1) {
    const char* const escaped = begin + __builtin_ctz(found);
    copy_lanes(at, from);
    at += escaped - from;
    from = escaped;
    const char letter = kEscapes.letters[static_cast<unsigned char>(*escaped)];
    if (letter == 'u') return at;
    *at++ = '\\';
    *at++ = letter;
    ++from;
  }
  copy_lanes(at, from);
  at += end - from;
  from = end;
  return at;
}
#endif

/// Moves `from` to the end, or near a byte that needs an escape. Returns the end of the output, after which
/// up to 32 bytes may be overwritten.
[[gnu::always_inline]] inline char* put_run(char* at, const char*& from, const char* end) {
#ifdef __SSE2__
  while (end - from >= 2 * kTwoLanes) {
    const char* const begin = from;
    at = put_lanes(at, from);
    if (from - begin != kTwoLanes) return at;
  }
  for (; end - from >= kLane; from += kLane, at += kLane) {
    const __m128i lane = lane_at(from);
    put_lane(at, lane);
    if (const unsigned found = to_escape(lane)) {
      const int plain = __builtin_ctz(found);
      from += plain;
      return at + plain;
    }
  }
#endif
  for (std::uint64_t word; end - from >= 8; from += 8, at += 8) {
    std::memcpy(&word, from, 8);
    if (!all_plain(word)) break;
    std::memcpy(at, &word, 8);
  }
  while (from != end && kEscapes.letters[static_cast<unsigned char>(*from)] == '\0') *at++ = *from++;
  return at;
}

/// Two bytes each, as most escapes take, both quotes, and the excess of put_run().
constexpr std::size_t most_of(std::size_t left) {
  return 2 * left + 34;
}

char* put_hex4(char* at, char32_t unit) {
  *at++ = '\\';
  *at++ = 'u';
  for (int shift = 12; shift >= 0; shift -= 4) *at++ = kHex[(unit >> shift) & 15];
  return at;
}

/// The path of the value that would follow, e.g. `a.b[2]` after `{"a": {"b": [1, 2, `; where a key would
/// follow, of the object. The parser names it, because the text is incomplete.
std::string path_at_end(std::string_view text, const Limits& limits) {
  try {
    JsonDocument(text, {only_depth(limits.depth)});  // closed values may be the deepest
  } catch (const DataError& error) {
    return error.path();
  }
  return {};
}

}  // namespace

char* JsonSink::grown(const char* at, std::size_t n) {
  check_size(at);
  const std::size_t written = size(at);
  const auto capacity = static_cast<std::size_t>(end_ - buffer_.get());
  const std::size_t wanted = std::max({written + n, capacity * 2, std::size_t{1} << 12});
  char* const moved = static_cast<char*>(std::realloc(buffer_.get(), wanted));
  if (moved == nullptr) throw std::bad_alloc();
  static_cast<void>(buffer_.release());  // realloc has freed or moved it
  buffer_.reset(moved);
  end_ = moved + wanted;
  return moved + written;
}

char* JsonSink::long_integer(char* at, std::int64_t value) {
  return std::to_chars(at, at + kValueRoom, value).ptr;
}

char* JsonSink::natural(char* at, std::uint64_t value) {
  return std::to_chars(at, at + kValueRoom, value).ptr;
}

template <class Float>
char* JsonSink::floating(char* at, Float value) {
  static_assert(kLongestFloat <= kValueRoom);
  if (std::isnan(value)) return word(at, "\"NaN\"");
  if (std::isinf(value)) return value < 0 ? word(at, "\"-Infinity\"") : word(at, "\"Infinity\"");
  return put_float(at, value);
}
template char* JsonSink::floating(char* at, double value);
template char* JsonSink::floating(char* at, float value);

char* JsonSink::string(char* at, std::string_view value) {
  check_length(at, value.size());
  return name(at, value);
}

char* JsonSink::name(char* at, std::string_view value) {
  at = room(at, most_of(value.size()));
  *at++ = '"';
  const char* from = value.data();
  const char* const end = from + value.size();
  while (true) {
    at = put_run(at, from, end);
    if (from == end) break;
    const char letter = kEscapes.letters[static_cast<unsigned char>(*from)];
    if (letter == 'u') {
      at = escape(at, from, end);
    } else if (letter != '\0') {
      *at++ = '\\';
      *at++ = letter;
      ++from;
    }
  }
  *at++ = '"';
  return at;
}

char* JsonSink::bytes(char* at, const Bytes& value) {
  check_length(at, value.size());
  return name(at, to_base64(value));
}

char* JsonSink::escape(char* at, const char*& from, const char* end) {
  do {
    std::size_t length = 0;
    const auto code = next_code_point({from, static_cast<std::size_t>(end - from)}, length);
    if (!code) fail(at, kBadUtf8);
    constexpr std::size_t kLongest = 12;
    at = room(at, kLongest);
    if (*code < 0x10000) {
      at = put_hex4(at, *code);
    } else {
      at = put_hex4(at, 0xd800 + ((*code - 0x10000) >> 10));
      at = put_hex4(at, 0xdc00 + ((*code - 0x10000) & 0x3ff));
    }
    from += length;
  } while (from != end && kEscapes.letters[static_cast<unsigned char>(*from)] == 'u');
  return room(at, most_of(static_cast<std::size_t>(end - from)));
}

void JsonSink::fail_at(const char* at, std::size_t offset, std::string reason) const {
  throw DataError(std::move(reason), path_at_end(view(at).substr(0, offset), options_.limits));
}

void JsonSink::fail_too_long(const char* at, const char* what, std::size_t size) const {
  fail(at, too_many_bytes(what, size, options_.limits.string_bytes));
}

void JsonSink::fail_too_deep(const char* at) const {
  fail(at, too_deep(options_.limits));
}

void JsonSink::fail_too_many(const char* at, std::size_t count) const {
  fail(at, too_many_items(count, options_.limits));
}

void JsonSink::check_size(const char* at) const {
  if (size(at) <= options_.limits.input_bytes) return;
  throw DataError(too_many_bytes("a document", size(at), options_.limits.input_bytes));
}

char* JsonSink::unset_union(char* at) {
  if (!writes_unknown_fields()) fail(at, kUnsetUnion);
  unset_unions_.push_back(size(at));
  return text(at, "{");
}

char* JsonSink::any(char* at, std::string_view json) {
  if (json.size() > options_.limits.string_bytes) fail_too_long(at, "a value", json.size());
  if (const std::string fault = any_fault(json, options_.limits.depth - depth_); !fault.empty())
    fail(at, kAnyText + fault);
  return text(at, json);
}

}  // namespace schemagen
