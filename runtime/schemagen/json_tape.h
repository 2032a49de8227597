// A parsed JSON document: the value that the JSON libraries hand to JsonReader.
//
// The tape is an array of 64-bit words in document order, the layout of simdjson 3 (its doc/tape.md), so
// that its result is used as it is; the RapidJSON backend writes the same. The top byte of a word is its
// tag, the other 56 bits its payload:
//
//   r        root: first and last word; the payload of the first is the number of words
//   { [      payload bits 0..31: index of the word after the matching } ]; bits 32..55: number of
//            members or items, 0xffffff for that many or more
//   } ]      payload: index of the matching { [
//   "        payload: offset in `strings` of a 32-bit length, that many bytes of UTF-8, and a NUL
//   l u d    the next word is an int64, uint64, double
//   t f n    true, false, null
//   b N      simdjson has no such: the next word is the double nearest to a whole number beyond 64 bits;
//            the double that a bare NaN, Infinity or -Infinity names
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include "schemagen/limits.h"

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

  const std::uint64_t* words = nullptr;
  const unsigned char* strings = nullptr;
  std::size_t first_bare = 0;         // index of the first kBare word, 0: there is none
  std::shared_ptr<const void> owner;  // of both arrays

  static constexpr std::uint64_t word(Tag tag, std::uint64_t payload) {
    return (std::uint64_t{tag} << 56) | payload;
  }

  Tag tag(std::size_t i) const noexcept { return static_cast<Tag>(words[i] >> 56); }
  /// Of { or [: index of the word after the matching end.
  std::size_t after(std::size_t i) const noexcept { return static_cast<std::uint32_t>(words[i]); }
  /// Of { or [: number of members or items; kManyItems for that many or more.
  std::size_t count(std::size_t i) const noexcept { return (words[i] & kPayload) >> 32; }
  std::string_view string(std::size_t i) const noexcept {
    const unsigned char* at = strings + (words[i] & kPayload);
    std::uint32_t length;
    std::memcpy(&length, at, sizeof length);
    return {reinterpret_cast<const char*>(at + sizeof length), length};
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
};

/// Parses by simdjson; nullopt where it finds fault, or meets what it does not read (bare NaN and
/// Infinity, whole numbers beyond 64 bits): then parse_with_rapidjson() is asked, which says what and where.
/// Also nullopt where this library was built without simdjson.
/// `readable_after`: how many bytes past the text may be read; with fewer than 64 the text is copied first.
std::optional<JsonTape> parse_with_simdjson(std::string_view text, const Limits& limits,
                                            std::size_t readable_after);

/// Parses by RapidJSON. Errors: DataError with path, line and column for anything that is not one JSON value.
/// Numbers with an exponent above 308, or more than 308 digits before the point, are refused as too large
/// even where they are not, as 0e400 and 1000...e-400: simdjson takes these.
JsonTape parse_with_rapidjson(std::string_view text, const Limits& limits);

}  // namespace schemagen
