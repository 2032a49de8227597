// Checks the grammar of JSON text without reading values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace schemagen {

/// Returns an empty string if `text` is a value of the schema type `Any`: exactly one JSON value (RFC 8259,
/// in UTF-8) without lone surrogates, duplicate keys and numbers that are too large for a double, and with at
/// most `depth` levels of nesting. Otherwise returns the rest of a sentence that begins with a subject.
std::string any_fault(std::string_view text, std::size_t depth);

struct JsonNumber {
  std::size_t size;
  const char* fault;  // null, or why the text from `size` on does not continue a number
};
/// Finds the end of the JSON number at the start of `text`.
JsonNumber scan_json_number(std::string_view text);

/// Returns whether `text` is exactly one JSON number.
bool is_json_number(std::string_view text);

/// Returns whether a JSON number that a double cannot represent is too small rather than too large, by the
/// power of ten of its first digit.
bool is_below_doubles(std::string_view number);

struct EscapedCodePoint {
  char32_t number;
  std::size_t size;  // of the escape in bytes
};

/// Returns the code point that the escape `\uXXXX` or the surrogate pair at `at` represents. Returns nullopt
/// if there is no such escape, or if it is a lone surrogate.
std::optional<EscapedCodePoint> escaped_code_point(std::string_view json, std::size_t at);

/// Returns the offset of the first escape `\uD...` that is not part of a surrogate pair. Assumes that every
/// backslash starts an escape.
std::optional<std::size_t> find_lone_surrogate(std::string_view json);

/// Returns the offset of the first byte below 0x20 that is not JSON white space. Valid JSON has no such byte.
std::optional<std::size_t> find_control_character(std::string_view json);

}  // namespace schemagen
