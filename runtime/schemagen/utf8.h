// UTF-8, checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace schemagen {

/// The code point that starts at `at`, which moves past it; nullopt, and `at` stays, where the bytes are no
/// UTF-8: truncated, overlong, a surrogate, or beyond U+10FFFF. `at` < `text.size()`.
std::optional<char32_t> next_code_point(std::string_view text, std::size_t& at);

/// Offset of the first byte that is not part of valid UTF-8; nullopt: all is valid.
std::optional<std::size_t> find_bad_utf8(std::string_view text);

/// Whether a JSON text has an escape of the surrogates' range, \uD...: without one, no string of a valid text
/// holds a lone surrogate.
bool may_hold_lone_surrogates(std::string_view json);

/// Offset of the first escape \uD... of a JSON text that is not one of a pair. Backslashes are taken for
/// escapes wherever they stand.
std::optional<std::size_t> find_lone_surrogate(std::string_view json);

/// Offset of the first byte below 0x20 that is no white space of JSON: it is in no JSON text.
std::optional<std::size_t> find_control_character(std::string_view json);

/// Whether every byte is below 0x80.
bool is_ascii(std::string_view text);

}  // namespace schemagen
