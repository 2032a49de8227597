// Represents a parsed JSON document: the text, its tape, and each value's position in the text.
//
// The tape is an array of 64-bit words in document order. The layout is like simdjson's, except that strings
// without escapes stay in the text. The top byte of a word is its tag, and the other 56 bits are its payload:
//
//   r        root, the first and the last word; in the first, the payload is the number of words
//   { [      payload bits 0..31: index of the word after the matching } ]; bits 32..55: number of
//            members or items, where 0xffffff means that many or more
//   } ]      payload: index of the matching { [
//   "        payload bits 0..31: offset of the first byte in `text`; bits 32..53: number of bytes;
//            bit 54: set if the string has escapes, all of them valid, and kEscapeBlock bytes of
//            text follow the string (never set for keys). If bit 55 is set, bits 0..53 are instead
//            the offset in `strings` of a 32-bit length, followed by that many bytes
//   l u d    the next word is an int64, uint64, double; the payload of l is kMinusZero for -0
//   t f n    true, false, null
//   b N      the next word is a double: for b, the one nearest to an integer beyond 64 bits; for N,
//            the value of a bare NaN, Infinity or -Infinity
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>

#include "schemagen/base/schema_version.h"
#include "schemagen/json/json.h"

namespace schemagen {

struct JsonTape {
  enum Tag : unsigned char {
    kRoot = 'r',
    kObject = '{',
    kObjectEnd = '}',
    kArray = '[',
    kArrayEnd = ']',
    kString = '"',
    kInt64 = 'l',
    kUint64 = 'u',
    kDouble = 'd',
    kTrue = 't',
    kFalse = 'f',
    kNull = 'n',
    kBigInteger = 'b',  // followed by the nearest double
    kBare = 'N',        // followed by the double that the token stands for
  };
  static constexpr std::uint64_t kPayload = (std::uint64_t{1} << 56) - 1;
  static constexpr std::uint64_t kManyItems = 0xffffff;
  static constexpr std::uint64_t kMinusZero = 1;                     // as a float, the integer is -0.0
  static constexpr std::uint64_t kAside = std::uint64_t{1} << 55;    // the string is in `strings`
  static constexpr std::uint64_t kEscaped = std::uint64_t{1} << 54;  // the string still has its escapes
  static constexpr std::uint64_t kLongestInText = (std::uint64_t{1} << 22) - 1;

  const std::uint64_t* words = nullptr;
  const char* text = nullptr;
  const char* strings = nullptr;
  std::size_t strings_size = 0;
  std::size_t levels = 0;             // nesting depth of the most deeply nested value
  std::size_t first_bare = 0;         // index of the first kBare word; 0 if there is none
  std::shared_ptr<const void> owner;  // owns words and strings

  static constexpr std::uint64_t word(Tag tag, std::uint64_t payload) {
    return (std::uint64_t{tag} << 56) | payload;
  }
  /// Returns the payload for a string that stays in the text. Requires `size <= kLongestInText`.
  static constexpr std::uint64_t in_text(std::size_t offset, std::size_t size) {
    return (std::uint64_t{size} << 32) | offset;
  }

  /// Returns the number of words.
  std::size_t size() const noexcept { return static_cast<std::size_t>(words[0] & kPayload); }
  Tag tag(std::size_t i) const noexcept { return static_cast<Tag>(words[i] >> 56); }
  /// Returns the index of the word after the } or ] that matches the { or [ at `i`.
  std::size_t after(std::size_t i) const noexcept { return static_cast<std::uint32_t>(words[i]); }
  /// Returns the number of members or items in the object or list at `i`; kManyItems means that many or more.
  std::size_t count(std::size_t i) const noexcept { return (words[i] & kPayload) >> 32; }
  /// Returns whether string(i) returns the string with its escapes still in it.
  bool is_escaped(std::size_t i) const noexcept { return (words[i] & (kAside | kEscaped)) == kEscaped; }
  /// Returns the exact number of members or items. Takes time linear in that number if it is kManyItems or
  /// more.
  std::size_t size_of(std::size_t start) const noexcept {
    std::size_t size = count(start);
    if (size != kManyItems) return size;
    size = 0;
    const std::size_t to_value = tag(start) == kObject ? 1 : 0;
    for (std::size_t i = start + 1; i != after(start) - 1; ++size) i = next(i + to_value);
    return size;
  }
  /// Returns the key or string at `i`.
  std::string_view string(std::size_t i) const noexcept {
    const std::uint64_t word = words[i];
    if ((word & kAside) == 0) {
      return {text + static_cast<std::uint32_t>(word),
              static_cast<std::size_t>((word >> 32) & kLongestInText)};
    }
    const char* at = strings + (word & (kAside - 1));
    std::uint32_t length;
    std::memcpy(&length, at, sizeof length);
    return {at + sizeof length, length};
  }
  /// Returns the string at `i` with its escapes decoded. The result is in `scratch` if the string has
  /// escapes.
  std::string_view string(std::size_t i, std::string& scratch) const {
    return is_escaped(i) ? unescaped(i, scratch) : string(i);
  }
  /// Returns the number at `i`. T must match the number's tag.
  template <class T>
  T number(std::size_t i) const noexcept {
    static_assert(sizeof(T) == sizeof(std::uint64_t));
    T value;
    std::memcpy(&value, &words[i + 1], sizeof value);
    return value;
  }
  /// Returns whether the integer at `i`, whose tag is kInt64, is -0.
  bool is_minus_zero(std::size_t i) const noexcept { return (words[i] & kPayload) == kMinusZero; }
  bool is_container(std::size_t i) const noexcept { return tag(i) == kObject || tag(i) == kArray; }
  bool is_number(std::size_t i) const noexcept {
    const Tag found = tag(i);
    return found == kInt64 || found == kUint64 || found == kDouble || found == kBigInteger || found == kBare;
  }
  /// Returns the index of the word after the whole value at `i`.
  std::size_t next(std::size_t i) const noexcept {
    if (is_container(i)) return after(i);
    return i + (is_number(i) ? 2 : 1);
  }
  /// Returns the index of the closing bracket of the object or list at `i`. For other values, returns `i`.
  std::size_t last(std::size_t i) const noexcept { return is_container(i) ? after(i) - 1 : i; }

 private:
  std::string_view unescaped(std::size_t i, std::string& scratch) const;
};

/// Returns the kind of a value for messages, e.g. `a list`.
const char* name_of(JsonTape::Tag tag);

/// A parsed document. Functions refer to values by the index of their word on the tape.
class JsonDocument {
 public:
  /// Parses `text`, which must outlive the document. Throws DataError, with the path, line and column, unless
  /// `text` is exactly one JSON value within the limits.
  JsonDocument(std::string_view text, const JsonReadOptions& options);

  const JsonTape& tape() const noexcept { return tape_; }
  std::string_view text() const noexcept { return text_; }
  const Limits& limits() const noexcept { return limits_; }
  /// Returns how much of Limits::memory_bytes remains after subtracting the tape, the decoded strings, and
  /// the size of the text. The size of the text is subtracted as an allowance for the strings in the values.
  std::size_t memory_left() const noexcept;

  /// Returns whether the document is nested so deeply that defaults could push it over a limit of `depth`
  /// levels.
  bool was_deep(std::size_t depth) const noexcept {
    return depth < kMostDefaultLevels || tape_.levels > depth - kMostDefaultLevels;
  }

  /// Returns the index of the root value.
  static constexpr std::size_t root() { return 1; }

  /// Returns the path of the value at `index`, e.g. `graph.nodes[3].name`. For a key, this is the path of its
  /// value; for a closing bracket, the path of its container.
  std::string path(std::size_t index) const;
  /// Returns the line and column of the value or key at `index`. Scans the text, so it takes linear time.
  Place place(std::size_t index) const;
  /// Throws DataError if the document contains a bare NaN, Infinity or -Infinity.
  void refuse_bare_nonfinite() const;
  /// Throws a DataError for the value or key at `index`.
  [[noreturn]] void fail(std::size_t index, std::string reason, DataFault fault = {}) const;

 private:
  std::string_view text_;
  Limits limits_;
  JsonTape tape_;
};

/// Finds the paths of several values in one forward walk over a tape.
class JsonPathCursor {
 public:
  explicit JsonPathCursor(const JsonTape& tape) : tape_(tape) {}

  /// Returns the same path as JsonDocument::path(). `index` must not be lower than in the previous call.
  const std::string& seek(std::size_t index);

  /// Returns the steps from the root to the container of the value that seek() last found.
  std::vector<UnknownFieldStep> steps() const;
  /// Returns the index of the key that precedes the key last found by seek() in the same object, or 0 if
  /// there is none.
  std::size_t previous_key() const noexcept { return levels_.back().previous; }

 private:
  struct Level {
    std::size_t count;
    std::size_t previous;  // the key that precedes `child` in the same object
    std::size_t child;     // the child on the path: its key or, in a list, its value
    std::size_t number;    // position of `child` among the children
    std::size_t end;       // the closing bracket
    bool is_object;
    std::size_t path_size;  // size of the container's path
  };
  void enter(std::size_t container);

  const JsonTape& tape_;
  std::vector<Level> levels_;
  std::string path_;
};

/// Returns the line and column at `offset`. Columns count bytes. An offset past the end counts as the end.
/// Starts at `from`, an earlier place in the text.
Place place_in_text(std::string_view text, std::size_t offset, const Place& from = {0, 1, 1});

/// Returns the offset of the first byte after the token that begins at `at`.
std::size_t end_of_json_token(std::string_view text, std::size_t at);

/// Finds the positions of values in the text, in one forward walk over the text.
class JsonTextCursor {
 public:
  explicit JsonTextCursor(std::string_view text) : text_(text) {}

  /// Returns the offset of the token for word `index`, which must not be lower than in the previous call.
  std::size_t seek(std::size_t index);
  /// Returns the offset of the first byte after the token that seek() last found.
  std::size_t end_of_token() const { return end_of_json_token(text_, at_); }

 private:
  void skip_separators();

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t index_ = 1;
};

std::size_t find_member(const JsonTape& tape, std::size_t object, std::string_view key);

/// Returns the version at `index`, which is either an object such as {"major": 2, "minor": 4} or only a major
/// version. Returns nullopt for anything else, and for index 0.
std::optional<Version> stated_version(const JsonTape& tape, std::size_t index);

}  // namespace schemagen
