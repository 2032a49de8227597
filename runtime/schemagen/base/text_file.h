// The encodings of text files.
#pragma once

#include <string_view>

namespace schemagen {

/// Returns the text without the byte order mark that some editors write at the start.
std::string_view without_byte_order_mark(std::string_view text) noexcept;

/// Returns "UTF-16" or "UTF-32" if the text begins like one in that encoding, with a byte order mark or an
/// ASCII character. Otherwise, returns an empty string.
std::string_view wide_encoding(std::string_view text) noexcept;

/// Returns the text in `bytes`, without a byte order mark. Throws DataError if wide_encoding() names an
/// encoding.
std::string_view plain_text(std::string_view bytes);

}  // namespace schemagen
