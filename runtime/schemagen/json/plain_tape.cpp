// Instead of RapidJSON, which reads the same text but makes loading up to 1.27 times slower.
#include "schemagen/json/parse.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "schemagen/base/ascii.h"
#include "schemagen/base/float_chars.h"
#include "schemagen/base/huge_pages.h"
#include "schemagen/base/json_syntax.h"
#include "schemagen/json/escapes.h"
#include "schemagen/json/padded_text.h"

namespace schemagen {
namespace {

constexpr bool ends_scalar(char c) noexcept {
  return c == ',' || c == ']' || c == '}' || c == ':' || is_blank(c);
}

/// Keys with escapes, and very long strings.
class SeparateStrings {
 public:
  SeparateStrings(const char* text, const char* end) : text_(text), end_(end), escape_(find_escape(text)) {}

  bool is_escaped(const char* end) const { return escape_ < end; }

  std::uint64_t add_escaped(const char* begin, const char* end) {
    escape_ = find_escape(end);
    return add(close_string(begin, end_, unescaped_)->value);
  }

  void pass_escaped(const char* end) { escape_ = find_escape(end); }

  std::uint64_t add(std::string_view bytes) {
    if (!bytes_) {
      // There is enough room: a string takes its bytes and four for their number here, and in the text its
      // bytes, two quotes, a separator and an escape; a long string may need one byte more.
      const auto text_size = static_cast<std::size_t>(end_ - text_);
      bytes_.reset(new char[text_size + text_size / JsonTape::kLongestInText + sizeof(std::uint32_t)]);
    }
    const auto length = static_cast<std::uint32_t>(bytes.size());
    char* const at = bytes_.get() + size_;
    std::memcpy(at, &length, sizeof length);
    std::copy(bytes.begin(), bytes.end(), at + sizeof length);
    const std::uint64_t payload = JsonTape::kAside | size_;
    size_ += sizeof length + length;
    return payload;
  }

  std::size_t size() const { return size_; }
  std::unique_ptr<char[]> take() { return std::move(bytes_); }

 private:
  const char* find_escape(const char* from) const {
    const void* const found = std::memchr(from, '\\', static_cast<std::size_t>(end_ - from));
    return found == nullptr ? end_ : static_cast<const char*>(found);
  }

  const char* const text_;
  const char* const end_;
  const char* escape_;
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::string unescaped_;
};

class TapeWords {
 public:
  TapeWords(std::size_t text_size, std::size_t most) : most_(most) {
    // torch's output has about six bytes per word. Untouched memory costs nothing.
    resize(std::min(text_size / 4 + kSlack, most));
    prefer_large_pages(words_.get(), capacity_ * sizeof(std::uint64_t));
  }

  static constexpr std::size_t kSlack = 64;

  std::uint64_t* get() const noexcept { return words_.get(); }
  const std::uint64_t* end() const noexcept { return words_.get() + capacity_; }
  bool grow(std::uint64_t*& out, std::size_t more) {
    const auto size = static_cast<std::size_t>(out - words_.get());
    if (most_ - size < more) return false;
    resize(std::min(std::max(2 * capacity_, size + more), most_));
    out = words_.get() + size;
    return true;
  }

 private:
  struct Free {
    void operator()(std::uint64_t* words) const noexcept { std::free(words); }
  };

  void resize(std::size_t capacity) {
    void* const grown =
        std::realloc(words_.get(), std::max<std::size_t>(capacity, 1) * sizeof(std::uint64_t));
    if (grown == nullptr) throw std::bad_alloc();
    static_cast<void>(words_.release());  // realloc has freed or moved it
    words_.reset(static_cast<std::uint64_t*>(grown));
    capacity_ = capacity;
  }

  std::unique_ptr<std::uint64_t[], Free> words_;
  std::size_t capacity_ = 0;
  std::size_t most_;
};

struct PlainTapeArrays {
  TapeWords words;
  std::unique_ptr<char[]> strings;
};

class PlainTape {
 public:
  PlainTape(std::string_view readable, std::size_t depth_limit, std::size_t most)
      : text_(readable.data()),
        end_(text_ + readable.size()),
        depth_limit_(depth_limit),
        words_(readable.size(), most),
        aside_(text_, end_) {}

  /// Parses everything except the last root. Returns false if the text is not JSON or needs too many words.
  // State that changes with every token is in local variables: stores to memory and reloads would dominate.
  // NOLINTNEXTLINE(readability-function-size)
  bool build() {
    const char* at = text_;
    std::uint64_t* words = words_.get();
    std::uint64_t* out = words + 1;
    std::uint64_t container = 0;
    std::uint64_t items = 0;
    std::size_t depth = 0;
    std::size_t levels = 0;  // so far
    bool in_object = false;

    const auto size = [&] { return static_cast<std::uint64_t>(out - words); };
    // The word of an open container holds these values of the one around it.
    const auto open = [&](JsonTape::Tag tag) {
      const std::uint64_t start = size();
      *out++ = JsonTape::word(tag, (items << 32) | container);
      container = start;
      items = 0;
      in_object = tag == JsonTape::kObject;
      ++at;
      levels = std::max(levels, ++depth);
      return depth <= depth_limit_ && skip_blanks(at);
    };
    const auto close = [&](std::uint64_t count) {
      const std::uint64_t around = words[container];
      *out++ = JsonTape::word(in_object ? JsonTape::kObjectEnd : JsonTape::kArrayEnd, container);
      words[container] = JsonTape::word(in_object ? JsonTape::kObject : JsonTape::kArray,
                                        (std::min(count, JsonTape::kManyItems) << 32) | size());
      container = static_cast<std::uint32_t>(around);
      items = (around & JsonTape::kPayload) >> 32;
      in_object = words[container] >> 56 == JsonTape::kObject;
      --depth;
      ++at;
    };

    // Room for one round, and for the ends of all open containers.
    const auto has_room = [&] {
      constexpr std::size_t kOfRound = 8;
      const std::size_t more = depth + kOfRound;
      if (static_cast<std::size_t>(words_.end() - out) >= more) return true;
      const bool is_there = words_.grow(out, more);
      words = words_.get();
      return is_there;
    };
    if (!has_room()) return false;
    words[0] = 0;
    if (!skip_blanks(at)) return false;
    while (true) {
      if (!has_room()) return false;
      if (in_object) {
        if (*at != '"' || !string<true>(*out++, at) || !skip_blanks(at) || *at++ != ':' || !skip_blanks(at))
          return false;
      }
      switch (*at) {
        case '{':
          if (!open(JsonTape::kObject)) return false;
          if (*at != '}') continue;
          close(0);
          break;
        case '[':
          if (!open(JsonTape::kArray)) return false;
          if (*at != ']') continue;
          close(0);
          break;
        case '"':
          if (!string<false>(*out++, at)) return false;
          break;
        default:
          if (!scalar(at, container != 0, out)) return false;
          break;
      }
      while (true) {
        const bool has_more = skip_blanks(at);
        if (container == 0) {
          end_of_words_ = out;
          levels_ = levels;
          return !has_more && at == end_;
        }
        if (!has_more) return false;
        if (*at == ',') break;
        if (*at != (in_object ? '}' : ']')) return false;
        close(items + 1);
      }
      ++at;
      if (!skip_blanks(at)) return false;
      if (items < JsonTape::kManyItems) ++items;
    }
  }

  JsonTape finish(const char* text) {
    *end_of_words_++ = JsonTape::word(JsonTape::kRoot, 0);
    words_.get()[0] =
        JsonTape::word(JsonTape::kRoot, static_cast<std::uint64_t>(end_of_words_ - words_.get()));
    JsonTape tape;
    tape.strings_size = aside_.size();
    tape.levels = levels_;
    const auto arrays = std::make_shared<PlainTapeArrays>(PlainTapeArrays{std::move(words_), aside_.take()});
    tape.words = arrays->words.get();
    tape.text = text;
    tape.strings = arrays->strings.get();
    tape.owner = arrays;
    return tape;
  }

 private:
  [[gnu::always_inline]] bool skip_blanks(const char*& at) const {
    if (at < end_ && *at == ' ') ++at;
    while (at < end_ && is_blank(*at)) ++at;
    return at < end_;
  }

  // As for build().
  template <bool is_key>
  [[gnu::always_inline]] bool string(std::uint64_t& word, const char*& at) {
    const char* const begin = at + 1;
    const char* const end = end_of_string(begin, end_);
    if (end == nullptr) return false;
    at = end + 1;
    if (!aside_.is_escaped(end) && end - begin <= kLongest) {
      word = JsonTape::word(JsonTape::kString, in_text(begin, end));
    } else {
      word = JsonTape::word(JsonTape::kString, rare_string(begin, end, is_key));
    }
    return true;
  }

  std::uint64_t rare_string(const char* begin, const char* end, bool is_key) {
    if (!aside_.is_escaped(end)) return aside_.add({begin, static_cast<std::size_t>(end - begin)});
    if (is_key || end - begin > kLongest || static_cast<std::size_t>(end_ - end) < kEscapeBlock)
      return aside_.add_escaped(begin, end);
    aside_.pass_escaped(end);
    return JsonTape::kEscaped | in_text(begin, end);
  }

  std::uint64_t in_text(const char* begin, const char* end) const {
    return JsonTape::in_text(static_cast<std::size_t>(begin - text_), static_cast<std::size_t>(end - begin));
  }

  [[gnu::always_inline]] bool scalar(const char*& at, bool is_inside, std::uint64_t*& out) const {
    switch (*at) {
      case 't':
        return word(at, "true", JsonTape::kTrue, out);
      case 'f':
        return word(at, "false", JsonTape::kFalse, out);
      case 'n':
        return word(at, "null", JsonTape::kNull, out);
      default:
        // Outside containers, a value may end the text, and any byte may follow.
        return (is_inside && small_integer(at, out)) || number(at, out);
    }
  }

  bool word(const char*& at, std::string_view expected, JsonTape::Tag tag, std::uint64_t*& out) const {
    const auto left = static_cast<std::size_t>(end_ - at);
    if (left < expected.size() || std::memcmp(at, expected.data(), expected.size()) != 0) return false;
    if (left > expected.size() && !ends_scalar(at[expected.size()])) return false;
    at += expected.size();
    *out++ = JsonTape::word(tag, 0);
    return true;
  }

  template <class T>
  static void put_number(JsonTape::Tag tag, T value, std::uint64_t*& out, std::uint64_t payload = 0) {
    static_assert(sizeof(T) == sizeof *out);
    *out++ = JsonTape::word(tag, payload);
    std::memcpy(out++, &value, sizeof value);
  }

  [[gnu::always_inline]] static bool small_integer(const char*& at, std::uint64_t*& out) {
    const bool is_negative = *at == '-';
    const char* const digits = at + (is_negative ? 1 : 0);
    constexpr std::ptrdiff_t kSafeDigits = 18;  // this many digits always fit
    const char* end = digits;
    std::int64_t value = 0;
    while (end - digits < kSafeDigits && is_digit(*end)) value = value * 10 + (*end++ - '0');
    if (end == digits || (*digits == '0' && end - digits > 1) || !ends_scalar(*end)) return false;
    const std::uint64_t payload = is_negative && value == 0 ? JsonTape::kMinusZero : 0;
    put_number(JsonTape::kInt64, is_negative ? -value : value, out, payload);
    at = end;
    return true;
  }

  bool number(const char*& at, std::uint64_t*& out) const {
    const char* end = at;
    while (end != end_ && !ends_scalar(*end)) ++end;
    const std::string_view token(at, static_cast<std::size_t>(end - at));
    if (!is_json_number(token)) return false;
    std::int64_t integer = 0;
    std::uint64_t natural = 0;
    double real = 0;
    if (token.find_first_of(".eE") != std::string_view::npos) {
      if (parse_float(at, end, real).ec != std::errc()) return false;
      put_number(JsonTape::kDouble, real, out);
    } else if (std::from_chars(at, end, integer).ec == std::errc()) {
      put_number(JsonTape::kInt64, integer, out);
    } else if (std::from_chars(at, end, natural).ec == std::errc()) {
      put_number(JsonTape::kUint64, natural, out);
    } else {
      return false;
    }
    at = end;
    return true;
  }

  static constexpr auto kLongest = static_cast<std::ptrdiff_t>(JsonTape::kLongestInText);

  const char* const text_;
  const char* const end_;
  const std::size_t depth_limit_;
  TapeWords words_;
  std::uint64_t* end_of_words_ = nullptr;
  std::size_t levels_ = 0;
  SeparateStrings aside_;
};

}  // namespace

std::optional<JsonTape> parse_plain(std::string_view text, const Limits& limits, std::size_t readable_after) {
  // The tape, a copy of the text, and strings outside it.
  const std::size_t words = most_words(text, limits);
  const std::size_t most = words - std::min(words, text.size() / sizeof(std::uint64_t));
  if (most < TapeWords::kSlack) return std::nullopt;
  const PaddedText padded(text, readable_after);
  PlainTape tape(padded.view(), limits.depth, most);
  if (!tape.build()) return std::nullopt;
  return tape.finish(text.data());
}

}  // namespace schemagen
