#include "schemagen/json/document.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <new>

#include "schemagen/base/ascii.h"
#include "schemagen/base/escapes.h"
#include "schemagen/base/float_chars.h"
#include "schemagen/base/float_text.h"
#include "schemagen/base/huge_pages.h"
#include "schemagen/base/json_syntax.h"
#include "schemagen/base/utf8.h"
#include "schemagen/json/padded_text.h"

namespace schemagen {
namespace {

constexpr char kNoValue[] = "expected a value";

struct Fault {
  std::size_t offset;
  std::string reason;
};

/// The first fault that does not depend on the grammar.
std::optional<Fault> find_fault(std::string_view text) {
  std::optional<Fault> first;
  const auto note = [&](std::optional<std::size_t> offset, const char* reason) {
    if (offset && (!first || *offset < first->offset)) first = Fault{*offset, reason};
  };
  if (text.substr(0, 3) == "\xef\xbb\xbf") note(0, "the text begins with a byte order mark");
  note(find_bad_utf8(text), "the text is not valid UTF-8");
  note(find_control_character(text), "the text has a control character");
  note(find_lone_surrogate(text), "the string has a lone surrogate");
  return first;
}

/// The fault of a string whose contents start at `at`, apart from those that find_fault() finds.
Fault fault_of_string(std::string_view text, std::size_t at) {
  for (; at < text.size(); ++at) {
    if (static_cast<unsigned char>(text[at]) < 0x20)
      return {at, "the string has an unescaped control character"};
    if (text[at] != '\\') continue;
    const char letter = at + 1 < text.size() ? text[at + 1] : '\0';
    if (std::string_view("\"\\/bfnrtu").find(letter) == std::string_view::npos)
      return {at, "the string has an invalid escape"};
    const auto escape = letter == 'u' ? escaped_code_point(text, at) : std::optional(EscapedCodePoint{0, 2});
    if (!escape) return {at, "expected four hexadecimal digits after \\u"};
    at += escape->size - 1;
  }
  return {at, "the string has no closing quote"};
}

constexpr char closing_of(char bracket) noexcept {
  return static_cast<char>(bracket + ('}' - '{'));  // in ASCII, brackets of both kinds are as far apart
}
static_assert(closing_of('[') == ']');

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
  /// Returns `out` in a larger array, or null if it would be too large.
  std::uint64_t* grow(const std::uint64_t* out, std::size_t more) {
    const auto size = static_cast<std::size_t>(out - words_.get());
    if (most_ - size < more) return nullptr;
    resize(std::min(std::max(2 * capacity_, size + more), most_));
    return words_.get() + size;
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

struct TapeArrays {
  TapeWords words;
  std::unique_ptr<char[]> strings;
};

class Parser {
 public:
  Parser(std::string_view readable, const Limits& limits)
      : text_(readable.data()),
        end_(text_ + readable.size()),
        limits_(limits),
        // The size of the text covers its copy and, later, the strings of the values.
        most_words_((limits.memory_bytes - std::min(readable.size(), limits.memory_bytes)) /
                    sizeof(std::uint64_t)),
        words_(readable.size(), most_words_ + kOfRound),
        aside_(text_, end_) {}

  /// Parses everything except the last root. At a fault, notes it and returns false.
  // State that changes with every token is in local variables: stores to memory and reloads would dominate.
  // NOLINTNEXTLINE(readability-function-size)
  bool build() {
    const char* at = text_;
    std::uint64_t* words = words_.get();
    std::uint64_t* out = words + 1;
    const std::uint64_t* room = words_.end() - kOfRound;  // minus a word for the end of each open container
    std::uint64_t container = 0;
    std::uint64_t items = 0;
    char closing = '\0';

    const auto depth = [&] { return static_cast<std::size_t>(words_.end() - kOfRound - room); };
    const auto has_room = [&] {
      if (out <= room) return true;
      const std::size_t ends = depth();
      std::uint64_t* const grown = words_.grow(out, kOfRound + ends);
      if (grown == nullptr) return false;
      out = grown;
      words = words_.get();
      room = words_.end() - kOfRound - ends;
      return true;
    };
    // The word of an open container holds the values of these variables for the one around it.
    const auto open = [&] {
      const auto start = static_cast<std::uint64_t>(out - words);
      *out++ = JsonTape::word(static_cast<JsonTape::Tag>(*at), (items << 32) | container);
      container = start;
      items = 0;
      closing = closing_of(*at);
      --room;
      levels_ = std::max(levels_, depth());
      ++at;
    };
    const auto close = [&](std::uint64_t count) {
      const std::uint64_t around = words[container];
      *out++ = JsonTape::word(static_cast<JsonTape::Tag>(closing), container);
      words[container] = (around & ~JsonTape::kPayload) | (std::min(count, JsonTape::kManyItems) << 32) |
                         static_cast<std::uint64_t>(out - words);
      container = static_cast<std::uint32_t>(around);
      items = (around & JsonTape::kPayload) >> 32;
      closing = closing_of(static_cast<char>(words[container] >> 56));
      ++room;
      ++at;
    };

    words[0] = 0;
    bool has_more = skip_blanks(at);
    if (!has_more) return stop(at, out, container, "the document is empty");
    while (true) {
      if (!has_room()) return exceed(at, out, container, too_much_memory);
      if (closing == '}') {
        if (!has_more || *at != '"') return stop(at, out, container, "expected a key in double quotes");
        if (!string<true>(*out, at)) return stop(at, out, container, nullptr);
        ++out;
        if (!skip_blanks(at) || *at != ':') return stop(at, out, container, "expected ':' after the key");
        ++at;
        has_more = skip_blanks(at);
      }
      if (!has_more) return stop(at, out, container, kNoValue);
      switch (*at) {
        case '{':
        case '[':
          if (depth() == limits_.depth) return exceed(at, out, container, too_deep);
          open();
          has_more = skip_blanks(at);
          if (!has_more || *at != closing) continue;
          close(0);
          break;
        case '"':
          if (!string<false>(*out, at)) return stop(at, out, container, nullptr);
          ++out;
          break;
        default:
          if (!scalar(at, out)) return stop(at, out, container, nullptr);
          break;
      }
      while (true) {
        has_more = skip_blanks(at);
        if (container == 0) {
          if (has_more) return stop(at, out, container, "there is text after the end of the document");
          if (!is_within_limit(out)) return exceed(at, out, container, too_much_memory);
          return !stop(at, out, container, nullptr);
        }
        if (has_more && *at == ',') break;
        if (!has_more || *at != closing) {
          return stop(
              at, out, container,
              closing == '}' ? "expected ',' or '}' in an object" : "expected ',' or ']' in an array");
        }
        close(items + 1);
      }
      ++at;
      has_more = skip_blanks(at);
      if (items < JsonTape::kManyItems) ++items;
    }
  }

  /// Throws DataError for the fault that build() found.
  [[noreturn]] void fail(std::string_view text) {
    Fault fault = *std::move(fault_);
    if (auto other = find_fault(text); other && other->offset <= fault.offset) fault = *std::move(other);
    throw DataError(std::move(fault.reason), path_of_next(text.data()), place_in_text(text, fault.offset));
  }

  JsonTape finish(const char* text) {
    *end_of_words_++ = JsonTape::word(JsonTape::kRoot, 0);
    words_.get()[0] =
        JsonTape::word(JsonTape::kRoot, static_cast<std::uint64_t>(end_of_words_ - words_.get()));
    JsonTape tape;
    tape.strings_size = aside_.size();
    tape.levels = levels_;
    tape.first_bare = first_bare_;
    const auto arrays = std::make_shared<TapeArrays>(TapeArrays{std::move(words_), aside_.take()});
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

  /// Whether the tape, with its last root, and the strings outside the text fit into the memory limit.
  bool is_within_limit(const std::uint64_t* out) const {
    const auto size = static_cast<std::size_t>(out - words_.get()) + 1;
    return size <= most_words_ && aside_.size() / sizeof(std::uint64_t) <= most_words_ - size;
  }

  /// Returns false. A reason of null means that a fault was noted, or that there is none.
  [[gnu::cold, gnu::noinline]] bool stop(const char* at, std::uint64_t* out, std::uint64_t container,
                                         const char* reason) {
    end_of_words_ = out;
    container_ = container;
    if (reason != nullptr) refuse_at(at, reason);
    return false;
  }

  /// Returns false.
  [[gnu::cold, gnu::noinline]] bool exceed(const char* at, std::uint64_t* out, std::uint64_t container,
                                           std::string (*reason)(const Limits&)) {
    return stop(at, out, container, reason(limits_).c_str());
  }

  /// Returns null.
  [[gnu::cold, gnu::noinline]] const char* refuse_at(const char* at, const char* reason) {
    fault_ = Fault{static_cast<std::size_t>(at - text_), reason};
    return nullptr;
  }

  [[gnu::cold, gnu::noinline]] bool refuse_string(const char* begin) {
    fault_ = fault_of_string({text_, static_cast<std::size_t>(end_ - text_)},
                             static_cast<std::size_t>(begin - text_));
    return false;
  }

  /// Completes the tape with a value, if one comes next, and with the ends of the open containers.
  std::string path_of_next(const char* text) {
    std::uint64_t* const words = words_.get();
    const auto size = [&] { return static_cast<std::size_t>(end_of_words_ - words); };
    const std::size_t next = size();
    bool expects_value = next == JsonDocument::root();
    if (container_ != 0) {
      JsonTape tape;
      tape.words = words;
      const auto container = static_cast<std::size_t>(container_);
      std::size_t child = container + 1;
      if (tape.tag(container) == JsonTape::kObject) {
        while (child + 1 < next) child = tape.next(child + 1);
        expects_value = child < next;  // a key
      } else {
        expects_value = true;
      }
    }
    if (expects_value) *end_of_words_++ = JsonTape::word(JsonTape::kNull, 0);
    while (container_ != 0) {
      const std::uint64_t around = words[container_];
      const auto tag = static_cast<JsonTape::Tag>(around >> 56);
      *end_of_words_++ =
          JsonTape::word(tag == JsonTape::kObject ? JsonTape::kObjectEnd : JsonTape::kArrayEnd, container_);
      words[container_] = JsonTape::word(tag, size());
      container_ = static_cast<std::uint32_t>(around);
    }
    return JsonPathCursor(finish(text)).seek(next);
  }

  // As for build().
  template <bool is_key>
  [[gnu::always_inline]] bool string(std::uint64_t& word, const char*& at) {
    const char* const begin = at + 1;
    const char* const end = end_of_string(begin, end_);
    if (end == nullptr) return refuse_string(begin);
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

  // As for build().
  [[gnu::always_inline]] bool scalar(const char*& at, std::uint64_t*& out) {
    switch (*at) {
      case 't':
        return word(at, "true", JsonTape::kTrue, out);
      case 'f':
        return word(at, "false", JsonTape::kFalse, out);
      case 'n':
        return word(at, "null", JsonTape::kNull, out);
      default:
        if (small_integer(at, out)) return true;
        const char* const end = number(at, out);
        if (end == nullptr) return false;
        at = end;
        out += 2;
        return true;
    }
  }

  [[gnu::always_inline]] bool word(const char*& at, std::string_view expected, JsonTape::Tag tag,
                                   std::uint64_t*& out) {
    const auto left = static_cast<std::size_t>(end_ - at);
    if (left < expected.size() || std::memcmp(at, expected.data(), expected.size()) != 0) {
      refuse_at(at + same_bytes(at, expected), kNoValue);
      return false;
    }
    at += expected.size();
    *out++ = JsonTape::word(tag, 0);
    return true;
  }

  // These functions return the end of the token, or null after they have noted a fault.

  const char* bare(const char* at, std::string_view expected, std::uint64_t* out) {
    const std::size_t same = same_bytes(at, expected);
    // The word Inf, which is not supported, is wrong as a whole.
    if (same != expected.size()) return refuse_at(at[same - 1] == 'f' ? at : at + same, kNoValue);
    if (first_bare_ == 0) first_bare_ = static_cast<std::size_t>(out - words_.get());
    put_number(JsonTape::kBare, *nonfinite_named(expected), out);
    return at + expected.size();
  }

  std::size_t same_bytes(const char* at, std::string_view expected) const {
    const std::size_t most = std::min(expected.size(), static_cast<std::size_t>(end_ - at));
    std::size_t same = 0;
    while (same < most && at[same] == expected[same]) ++same;
    return same;
  }

  template <class T>
  static void put_number(JsonTape::Tag tag, T value, std::uint64_t* out, std::uint64_t payload = 0) {
    static_assert(sizeof(T) == sizeof *out);
    *out = JsonTape::word(tag, payload);
    std::memcpy(out + 1, &value, sizeof value);
  }

  [[gnu::always_inline]] bool small_integer(const char*& at, std::uint64_t*& out) const {
    const bool is_negative = *at == '-';
    const char* const digits = at + (is_negative ? 1 : 0);
    constexpr std::ptrdiff_t kSafeDigits = 18;  // this many digits always fit
    const char* end = digits;
    std::int64_t value = 0;
    while (end - digits < kSafeDigits && is_digit(*end)) value = value * 10 + (*end++ - '0');
    // Anything but a separator may be a part of the number, or follow the text.
    if (end == digits || (*digits == '0' && end - digits > 1) ||
        (*end != ',' && *end != ']' && *end != '}' && !is_blank(*end)) || end > end_)
      return false;
    const std::uint64_t payload = is_negative && value == 0 ? JsonTape::kMinusZero : 0;
    put_number(JsonTape::kInt64, is_negative ? -value : value, out, payload);
    out += 2;
    at = end;
    return true;
  }

  const char* number(const char* at, std::uint64_t* out) {
    if (*at == 'N') return bare(at, "NaN", out);
    if (*at == 'I') return bare(at, "Infinity", out);
    if (end_ - at > 1 && at[0] == '-') {
      if (at[1] == 'I') return bare(at, "-Infinity", out);
      if (at[1] == 'N') return refuse_at(at, kNoValue);
    }
    const JsonNumber found = scan_json_number({at, static_cast<std::size_t>(end_ - at)});
    const char* const end = at + found.size;
    if (found.fault != nullptr) return refuse_at(end, found.fault);
    const std::string_view token(at, found.size);
    const bool is_whole = token.find_first_of(".eE") == std::string_view::npos;
    std::int64_t integer = 0;
    std::uint64_t natural = 0;
    double real = 0;
    if (is_whole && std::from_chars(at, end, integer).ec == std::errc()) {
      put_number(JsonTape::kInt64, integer, out, token == "-0" ? JsonTape::kMinusZero : 0);
    } else if (is_whole && token[0] != '-' && std::from_chars(at, end, natural).ec == std::errc()) {
      put_number(JsonTape::kUint64, natural, out);
    } else {
      if (parse_float(at, end, real).ec != std::errc()) {
        if (!is_below_doubles(token)) return refuse_at(at, "the number is too large for a 64-bit float");
        real = token[0] == '-' ? -0.0 : 0.0;
      }
      put_number(is_whole ? JsonTape::kBigInteger : JsonTape::kDouble, real, out);
    }
    return end;
  }

  static constexpr auto kLongest = static_cast<std::ptrdiff_t>(JsonTape::kLongestInText);
  static constexpr std::size_t kOfRound = 8;

  const char* const text_;
  const char* const end_;
  const Limits& limits_;
  const std::size_t most_words_;
  TapeWords words_;
  std::uint64_t* end_of_words_ = nullptr;
  std::uint64_t container_ = 0;
  std::size_t levels_ = 0;
  std::size_t first_bare_ = 0;
  SeparateStrings aside_;
  std::optional<Fault> fault_;
};

JsonTape parse(std::string_view text, const JsonReadOptions& options) {
  constexpr std::size_t kMost = 0xffff0000;  // tape indices have 32 bits
  const std::size_t limit = std::min(options.limits.input_bytes, kMost);
  if (text.size() > limit) throw DataError(too_many_bytes("a document", text.size(), limit));
  if (text.size() > options.limits.memory_bytes) {
    throw DataError(too_much_memory(options.limits), "", place_in_text(text, 0));
  }
  const PaddedText padded(text, options.readable_after);
  Parser parser(padded.view(), options.limits);
  if (!parser.build()) parser.fail(text);
  return parser.finish(text.data());
}

}  // namespace

std::string_view JsonTape::unescaped(std::size_t i, std::string& scratch) const {
  const std::string_view raw = string(i);
  const char* const after = raw.data() + raw.size() + 1;
  return close_string(raw.data(), after, scratch)->value;
}

JsonDocument::JsonDocument(std::string_view text, const JsonReadOptions& options)
    : text_(text), limits_(options.limits), tape_(parse(text, options)) {}

}  // namespace schemagen
