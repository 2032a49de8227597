// The grammar of JSON, for code that does not need the values.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace schemagen {

/// Returns whether `text` is one JSON value (RFC 8259, UTF-8) without lone surrogates, nested at most `depth`
/// levels.
bool is_json(std::string_view text, std::size_t depth);

/// Returns whether `text` is exactly one number.
bool is_json_number(std::string_view text);

/// Returns the 16 bits of the escape `\uXXXX` at `at`; nullopt if there is no such escape.
std::optional<unsigned> escaped_unit(std::string_view json, std::size_t at);

/// Returns whether a JSON text contains an escape `\uD...`. Without one, no string of a valid text has a lone
/// surrogate.
bool may_hold_lone_surrogates(std::string_view json);

/// Returns the offset of the first escape `\uD...` that is not part of a pair. Every backslash counts as the
/// start of an escape.
std::optional<std::size_t> find_lone_surrogate(std::string_view json);

/// Returns the offset of the first byte below 0x20 that is not JSON white space. Valid text has none.
std::optional<std::size_t> find_control_character(std::string_view json);

}  // namespace schemagen
