// JSON's grammar, for those who do not need the values.
#pragma once

#include <cstddef>
#include <string_view>

namespace schemagen {

constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

/// Whether `text` is one JSON value (RFC 8259, in UTF-8) without lone surrogates, nested at most `depth`
/// levels.
bool is_json(std::string_view text, std::size_t depth);

}  // namespace schemagen
