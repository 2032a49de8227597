#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schemagen/json/document.h"
#include "schemagen/tree/dom_value.h"

namespace schemagen {

/// Converts a document to a tree that borrows strings and keys. Bare NaN and infinities become doubles,
/// integers beyond 64 bits the nearest double. Throws DataError beyond the document's memory limit.
DomValue to_dom(const JsonDocument& document);

/// Parses text, such as strings within documents, to a tree that borrows nothing; nullopt if it is not JSON.
std::optional<DomValue> parse_dom(std::string_view text);

/// How to write NaN and infinities: as strings ("NaN", "Infinity", "-Infinity"), or as bare words, which JSON
/// lacks but Python reads.
enum class Nonfinite { quoted, bare };

/// Returns the text, with `", "` and `": "` between tokens.
std::string dom_text(const DomValue& value, Nonfinite nonfinite = Nonfinite::quoted);

}  // namespace schemagen
