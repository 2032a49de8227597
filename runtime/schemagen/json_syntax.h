// Whether a text is JSON, for those who only keep it.
#pragma once

#include <cstddef>
#include <string_view>

namespace schemagen {

/// Whether `text` is one JSON value (RFC 8259, in UTF-8) without lone surrogates, nested at most `depth`
/// levels.
bool is_json(std::string_view text, std::size_t depth);

}  // namespace schemagen
