// A parsed JSON document: the value that the JSON libraries hand to JsonReader. Several threads may read the
// same object at once.
//
// The tape is an array of 64-bit words in document order, much as that of simdjson (its doc/tape.md), but
// that strings without escapes stay where they are in the text. The top byte of a word is its tag, the other
// 56 bits its payload:
//
//   r        root: first and last word; the payload of the first is the number of words
//   { [      payload bits 0..31: index of the word after the matching } ]; bits 32..55: number of
//            members or items, 0xffffff for that many or more
//   } ]      payload: index of the matching { [
//   "        payload bits 0..31: offset of the first byte in `text`; bits 32..53: number of bytes; bit 54:
//   they
//            have escapes, which are good, and kEscapeBlock bytes of the text behind them; never so of keys.
//            With bit 55, bits 0..53: offset in `strings` of a 32-bit length and that many bytes
//   l u d    the next word is an int64, uint64, double
//   t f n    true, false, null
//   b N      the next word is the double nearest to a whole number beyond 64 bits; the double that a bare
//   NaN,
//            Infinity or -Infinity names
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "schemagen/value/limits.h"

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
    kBigInteger = 'b',  // the next word: the nearest double
    kBare = 'N',        // the next word: the double that the token names
  };
  static constexpr std::uint64_t kPayload = (std::uint64_t{1} << 56) - 1;
  static constexpr std::uint64_t kManyItems = 0xffffff;
  static constexpr std::uint64_t kAside = std::uint64_t{1} << 55;    // of a string: it is in `strings`
  static constexpr std::uint64_t kEscaped = std::uint64_t{1} << 54;  // of a string: it is with its escapes
  static constexpr std::uint64_t kLongestInText = (std::uint64_t{1} << 22) - 1;

  const std::uint64_t* words = nullptr;
  const char* text = nullptr;  // must outlive this
  const char* strings = nullptr;
  std::size_t first_bare = 0;         // index of the first kBare word, 0: there is none
  std::shared_ptr<const void> owner;  // of words and strings

  static constexpr std::uint64_t word(Tag tag, std::uint64_t payload) {
    return (std::uint64_t{tag} << 56) | payload;
  }
  /// The payload of a string in the text. `size` <= kLongestInText.
  static constexpr std::uint64_t in_text(std::size_t offset, std::size_t size) {
    return (std::uint64_t{size} << 32) | offset;
  }

  /// The number of words.
  std::size_t size() const noexcept { return words[0] & kPayload; }
  Tag tag(std::size_t i) const noexcept { return static_cast<Tag>(words[i] >> 56); }
  /// Of { or [: index of the word after the matching end.
  std::size_t after(std::size_t i) const noexcept { return static_cast<std::uint32_t>(words[i]); }
  /// Of { or [: number of members or items; kManyItems for that many or more.
  std::size_t count(std::size_t i) const noexcept { return (words[i] & kPayload) >> 32; }
  /// Whether string() gives a string with its escapes.
  bool is_escaped(std::size_t i) const noexcept { return (words[i] & (kAside | kEscaped)) == kEscaped; }
  /// Of { or [: number of members or items. O(that number) for kManyItems or more.
  std::size_t size_of(std::size_t start) const noexcept {
    std::size_t size = count(start);
    if (size != kManyItems) return size;
    size = 0;
    const std::size_t to_value = tag(start) == kObject ? 1 : 0;
    for (std::size_t i = start + 1; i != after(start) - 1; ++size) i = next(i + to_value);
    return size;
  }
  /// A key or string.
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
  /// A string without its escapes, in `scratch` if it has any: until it is used again.
  std::string_view string(std::size_t i, std::string& scratch) const {
    return is_escaped(i) ? unescaped(i, scratch) : string(i);
  }
  /// Of a number: its value, as the tag says.
  template <class T>
  T number(std::size_t i) const noexcept {
    static_assert(sizeof(T) == sizeof(std::uint64_t));
    T value;
    std::memcpy(&value, &words[i + 1], sizeof value);
    return value;
  }
  /// Index of the word after the whole value at `i`.
  std::size_t next(std::size_t i) const noexcept {
    switch (tag(i)) {
      case kObject:
      case kArray:
        return after(i);
      case kInt64:
      case kUint64:
      case kDouble:
      case kBigInteger:
      case kBare:
        return i + 2;
      case kRoot:
      case kObjectEnd:
      case kArrayEnd:
      case kString:
      case kTrue:
      case kFalse:
      case kNull:
        break;
    }
    return i + 1;
  }

 private:
  std::string_view unescaped(std::size_t i, std::string& scratch) const;
};

/// How many words a tape of `text` may have: as many as Limits::memory_bytes hold beside the text's own size,
/// which stands for the strings that will be made of it.
inline std::size_t most_words(std::string_view text, const Limits& limits) {
  return (limits.memory_bytes - std::min(text.size(), limits.memory_bytes)) / sizeof(std::uint64_t);
}

/// Parses by simdjson; nullopt where it finds fault, meets what it does not read (bare NaN and Infinity,
/// whole numbers beyond 64 bits), or could need more memory than is allowed: then parse_with_rapidjson() is
/// asked, which says what and where. Also nullopt where this library was built without simdjson.
/// `readable_after`: how many bytes past the text may be read; with fewer than 64 the text is copied first.
std::optional<JsonTape> parse_with_simdjson(std::string_view text, const Limits& limits,
                                            std::size_t readable_after);

/// The tape of `text`, of which `index` has the offsets of all `count` tokens in order: of brackets, commas,
/// colons, and of the first byte of strings and of whatever else is no blank. nullopt where the text is no
/// JSON, or as parse_with_simdjson(). `text` is valid UTF-8 below 4 GiB, its strings are closed and have no
/// control characters. `readable` is a copy of it, or itself, in which 64 bytes past the end can be read.
std::optional<JsonTape> tape_of_index(std::string_view text, const char* readable, const std::uint32_t* index,
                                      std::size_t count, const Limits& limits);

/// Parses by RapidJSON. Errors: DataError with path, line and column for anything that is not one JSON value.
/// Numbers with an exponent above 308, or more than 308 digits before the point, are refused as too large
/// even where they are not, as 0e400 and 1000...e-400: simdjson takes these.
JsonTape parse_with_rapidjson(std::string_view text, const Limits& limits);

}  // namespace schemagen
