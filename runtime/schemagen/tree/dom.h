#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schemagen/json/document.h"
#include "schemagen/tree/dom_value.h"

namespace schemagen {

/// Borrows strings and keys. Bare NaN and infinities become doubles, integers beyond 64 bits the nearest
/// double. Throws DataError beyond the document's memory limit.
DomValue to_dom(const JsonDocument& document);

/// Borrows nothing; nullopt if it is not JSON. For text within documents that were read.
std::optional<DomValue> parse_dom(std::string_view text);

/// As strings ("NaN", "Infinity", "-Infinity"), or as bare words, which JSON lacks but Python reads.
enum class Nonfinite { quoted, bare };

/// With `", "` and `": "` between tokens.
std::string dom_text(const DomValue& value, Nonfinite nonfinite = Nonfinite::quoted);

}  // namespace schemagen
