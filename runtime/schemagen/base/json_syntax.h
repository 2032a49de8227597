// Checks the grammar of JSON text without reading values.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace schemagen {

/// Returns whether `text` is exactly one JSON value (RFC 8259, in UTF-8) without lone surrogates and with at
/// most `depth` levels of nesting.
bool is_json(std::string_view text, std::size_t depth);

/// Returns whether `text` is exactly one JSON number.
bool is_json_number(std::string_view text);

/// Returns the 16 bits that the escape `\uXXXX` at `at` represents, or nullopt if there is no such escape.
std::optional<unsigned> escaped_unit(std::string_view json, std::size_t at);

/// Returns whether JSON text contains an escape that starts with `\uD`. Valid text without such an escape has
/// no lone surrogates in its strings.
bool may_hold_lone_surrogates(std::string_view json);

/// Returns the offset of the first escape `\uD...` that is not part of a surrogate pair. Assumes that every
/// backslash starts an escape.
std::optional<std::size_t> find_lone_surrogate(std::string_view json);

/// Returns the offset of the first byte below 0x20 that is not JSON white space. Valid JSON has no such byte.
std::optional<std::size_t> find_control_character(std::string_view json);

}  // namespace schemagen
