// The grammar of JSON, for code that does not need the values.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace schemagen {

/// Whether `text` is one JSON value (RFC 8259, in UTF-8) without lone surrogates, nested at most `depth`
/// levels.
bool is_json(std::string_view text, std::size_t depth);

/// Whether all of `text` is one number.
bool is_json_number(std::string_view text);

/// The 16 bits of the escape `\uXXXX` at `at`; nullopt if none is there.
std::optional<unsigned> escaped_unit(std::string_view json, std::size_t at);

/// Whether a JSON text has an escape of the surrogates' range, `\uD...`: without one, no string of a valid
/// text holds a lone surrogate.
bool may_hold_lone_surrogates(std::string_view json);

/// Offset of the first escape `\uD...` of a JSON text that is not one of a pair. Backslashes are taken for
/// escapes wherever they stand.
std::optional<std::size_t> find_lone_surrogate(std::string_view json);

/// Offset of the first byte below 0x20 that is no white space of JSON: it is in no JSON text.
std::optional<std::size_t> find_control_character(std::string_view json);

}  // namespace schemagen
