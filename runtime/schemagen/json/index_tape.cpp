// From the places of a text's tokens to its tape.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "schemagen/json/escapes.h"
#include "schemagen/json/tape.h"
#include "schemagen/value/json_syntax.h"
#include "schemagen/value/pages.h"

namespace schemagen {
namespace {

/// Whether `c` may stand behind a number or a word.
constexpr bool ends_scalar(char c) noexcept {
  return c == ',' || c == ']' || c == '}' || c == ':' || is_blank(c);
}

/// Strings that do not stay in the text: keys with escapes, and what is very long.
class StringsAside {
 public:
  StringsAside(const char* text, const char* end) : text_(text), end_(end), escape_(find_escape(text)) {}

  /// Whether a string that ends at `end`, and is not before the last one, has an escape.
  bool is_escaped(const char* end) const { return escape_ < end; }

  /// The payload of the tape's word; nullopt for a bad escape. is_escaped(end).
  std::optional<std::uint64_t> add_escaped(const char* begin, const char* end) {
    const std::optional<ClosedString> closed = close_string(begin, end_, unescaped_);
    if (!closed) return std::nullopt;
    escape_ = find_escape(end);
    return add(closed->value);
  }

  /// Whether the escapes of a string that stays in the text are good. is_escaped(end).
  bool pass_escaped(const char* begin, const char* end) {
    escape_ = find_escape(end);
    return end_of_string(begin, end_) == end;
  }

  std::uint64_t add(std::string_view bytes) {
    if (!bytes_) {
      // A string takes its bytes and four for their number here. In the text it has two quotes, a separator
      // and an escape, so that none takes more than its share; those that are here for their length may take
      // one more.
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

  std::unique_ptr<char[]> take() { return std::move(bytes_); }

 private:
  const char* find_escape(const char* from) const {
    const void* const found = std::memchr(from, '\\', static_cast<std::size_t>(end_ - from));
    return found == nullptr ? end_ : static_cast<const char*>(found);
  }

  const char* const text_;
  const char* const end_;
  const char* escape_;  // the first backslash that is in no string before
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::string unescaped_;
};

/// The two of the root, and that of one number that no comma makes up for.
constexpr std::size_t kMoreWords = 3;

struct IndexTapeArrays {
  std::unique_ptr<std::uint64_t[]> words;
  std::unique_ptr<char[]> strings;
};

class IndexTape {
 public:
  IndexTape(std::string_view text, const char* readable, const std::uint32_t* index, std::size_t count,
            const Limits& limits)
      : text_(readable),
        end_(readable + text.size()),
        index_(index),
        index_end_(index + count),
        depth_limit_(limits.depth),
        aside_(text_, end_) {}

  /// Behind the last word, without the root's; null if the text is no JSON. `words` has room for one per
  /// token and kMoreWords: only a number takes two, and a comma or colon, which takes none, stands before all
  /// but the first of a list; behind a list that has such a first one there is a comma again, or an end.
  // What moves with every token is in locals: it would be written to memory and read again, which costs more
  // than all else. NOLINTNEXTLINE(readability-function-size)
  std::uint64_t* build(std::uint64_t* const words) {
    const std::uint32_t* next = index_;
    std::uint64_t* out = words + 1;  // behind the root
    std::uint64_t container = 0;     // the innermost open one; 0: none
    std::uint64_t items = 0;         // of it, before the last comma
    std::size_t depth = 0;
    bool in_object = false;
    words[0] = 0;

    const auto size = [&] { return static_cast<std::uint64_t>(out - words); };
    // Until it is closed, the word of a container holds what these were outside of it.
    const auto open = [&](JsonTape::Tag tag) {
      const std::uint64_t at = size();
      *out++ = JsonTape::word(tag, (items << 32) | container);
      container = at;
      items = 0;
      in_object = tag == JsonTape::kObject;
      return ++depth <= depth_limit_ && next != index_end_;
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
    };

    while (true) {
      if (next == index_end_) return nullptr;
      const char* at = text_ + *next++;
      if (in_object) {
        // The index ends in the size of the text: there is always a next one.
        if (*at != '"' || !set_string<true>(*out++, at + 1, text_ + *next)) return nullptr;
        if (index_end_ - next < 2 || text_[*next] != ':') return nullptr;
        at = text_ + next[1];
        next += 2;
      }
      switch (*at) {
        case '{':
          if (!open(JsonTape::kObject)) return nullptr;
          if (text_[*next] != '}') continue;
          ++next;
          close(0);
          break;
        case '[':
          if (!open(JsonTape::kArray)) return nullptr;
          if (text_[*next] != ']') continue;
          ++next;
          close(0);
          break;
        case '"':
          if (!set_string<false>(*out++, at + 1, text_ + *next)) return nullptr;
          break;
        default:
          out = scalar(at, container != 0, out);
          if (out == nullptr) return nullptr;
          break;
      }
      // Behind a value: the ends of containers, then a comma.
      while (true) {
        if (container == 0) return next == index_end_ ? out : nullptr;
        if (next == index_end_) return nullptr;
        const char separator = text_[*next++];
        if (separator == ',') break;
        if (separator != (in_object ? '}' : ']')) return nullptr;
        close(items + 1);
      }
      if (items < JsonTape::kManyItems) ++items;
    }
  }

  /// The tape of `words`, of which build() has given the `end`.
  JsonTape finish(const char* text, std::unique_ptr<std::uint64_t[]> words, std::uint64_t* end) {
    *end++ = JsonTape::word(JsonTape::kRoot, 0);
    words[0] = JsonTape::word(JsonTape::kRoot, static_cast<std::uint64_t>(end - words.get()));
    const auto arrays = std::make_shared<IndexTapeArrays>(IndexTapeArrays{std::move(words), aside_.take()});
    JsonTape tape;
    tape.words = arrays->words.get();
    tape.text = text;
    tape.strings = arrays->strings.get();
    tape.owner = arrays;
    return tape;
  }

 private:
  /// Of the string whose bytes begin at `begin`, before the token at `next`.
  // Inlined against gcc's judgement, for what is said at build().
  template <bool is_key>
  [[gnu::always_inline]] bool set_string(std::uint64_t& word, const char* begin, const char* next) {
    // Between the closing quote and the next token there are but blanks.
    const char* end = next - 1;
    while (is_blank(*end)) --end;
    if (!aside_.is_escaped(end) && end - begin <= kLongest) {
      word = JsonTape::word(JsonTape::kString, in_text(begin, end));
      return true;
    }
    return set_rare_string(word, begin, end, is_key);
  }

  bool set_rare_string(std::uint64_t& word, const char* begin, const char* end, bool is_key) {
    std::optional<std::uint64_t> payload;
    if (!aside_.is_escaped(end)) {
      payload = aside_.add({begin, static_cast<std::size_t>(end - begin)});
    } else if (is_key || end - begin > kLongest || static_cast<std::size_t>(end_ - end) < kEscapeBlock) {
      payload = aside_.add_escaped(begin, end);
    } else if (aside_.pass_escaped(begin, end)) {
      payload = JsonTape::kEscaped | in_text(begin, end);
    }
    if (!payload) return false;
    word = JsonTape::word(JsonTape::kString, *payload);
    return true;
  }

  std::uint64_t in_text(const char* begin, const char* end) const {
    return JsonTape::in_text(static_cast<std::size_t>(begin - text_), static_cast<std::size_t>(end - begin));
  }

  /// Writes a number or a word of JSON; behind its words, null if it is none.
  std::uint64_t* scalar(const char* at, bool is_inside, std::uint64_t* out) const {
    switch (*at) {
      case 't':
        return word(at, "true", JsonTape::kTrue, out);
      case 'f':
        return word(at, "false", JsonTape::kFalse, out);
      case 'n':
        return word(at, "null", JsonTape::kNull, out);
      default:
        // What is in no container may be the end of the text, behind which anything may stand.
        return is_inside ? number(at, out) : rare_number(at, out);
    }
  }

  std::uint64_t* word(const char* at, std::string_view expected, JsonTape::Tag tag,
                      std::uint64_t* out) const {
    const auto left = static_cast<std::size_t>(end_ - at);
    if (left < expected.size() || std::memcmp(at, expected.data(), expected.size()) != 0) return nullptr;
    if (left > expected.size() && !ends_scalar(at[expected.size()])) return nullptr;
    *out++ = JsonTape::word(tag, 0);
    return out;
  }

  template <class T>
  static std::uint64_t* put_number(JsonTape::Tag tag, T value, std::uint64_t* out) {
    static_assert(sizeof(T) == sizeof *out);
    *out++ = JsonTape::word(tag, 0);
    std::memcpy(out, &value, sizeof value);
    return out + 1;
  }

  std::uint64_t* number(const char* at, std::uint64_t* out) const {
    const bool is_negative = *at == '-';
    const char* const digits = at + (is_negative ? 1 : 0);
    const char* end = digits;
    std::uint64_t value = 0;
    while (is_digit(*end)) value = value * 10 + static_cast<unsigned char>(*end++ - '0');
    const auto count = end - digits;
    constexpr int kSafeDigits = 18;  // of which all numbers fit
    const bool has_leading_zero = *digits == '0' && count > 1;
    if (count == 0 || count > kSafeDigits || has_leading_zero || !ends_scalar(*end))
      return rare_number(at, out);
    const auto magnitude = static_cast<std::int64_t>(value);
    return put_number(JsonTape::kInt64, is_negative ? -magnitude : magnitude, out);
  }

  /// Fractions, exponents and many digits.
  std::uint64_t* rare_number(const char* at, std::uint64_t* out) const {
    const char* end = at;
    while (end != end_ && !ends_scalar(*end)) ++end;
    const std::string_view token(at, static_cast<std::size_t>(end - at));
    if (!is_json_number(token)) return nullptr;
    if (token.find_first_of(".eE") == std::string_view::npos) {
      if (std::int64_t integer; std::from_chars(at, end, integer).ec == std::errc()) {
        return put_number(JsonTape::kInt64, integer, out);
      }
      if (std::uint64_t natural; std::from_chars(at, end, natural).ec == std::errc()) {
        return put_number(JsonTape::kUint64, natural, out);
      }
      return nullptr;  // beyond 64 bits
    }
    double real = 0;
    if (std::from_chars(at, end, real).ec != std::errc()) return nullptr;
    return put_number(JsonTape::kDouble, real, out);
  }

  static constexpr auto kLongest = static_cast<std::ptrdiff_t>(JsonTape::kLongestInText);

  const char* const text_;
  const char* const end_;
  const std::uint32_t* const index_;
  const std::uint32_t* const index_end_;
  const std::size_t depth_limit_;
  StringsAside aside_;
};

}  // namespace

std::string_view JsonTape::unescaped(std::size_t i, std::string& scratch) const {
  const std::string_view raw = string(i);
  const char* const after = raw.data() + raw.size() + 1;
  return close_string(raw.data(), after, scratch)->value;
}

std::optional<JsonTape> tape_of_index(std::string_view text, const char* readable, const std::uint32_t* index,
                                      std::size_t count, const Limits& limits) {
  if (count + kMoreWords > most_words(text, limits)) return std::nullopt;
  // Not initialised: much of it is never touched.
  std::unique_ptr<std::uint64_t[]> words(new std::uint64_t[count + kMoreWords]);
  prefer_large_pages(words.get(), (count + kMoreWords) * sizeof(std::uint64_t));
  IndexTape tape(text, readable, index, count, limits);
  std::uint64_t* const end = tape.build(words.get());
  if (end == nullptr) return std::nullopt;
  return tape.finish(text.data(), std::move(words), end);
}

}  // namespace schemagen
