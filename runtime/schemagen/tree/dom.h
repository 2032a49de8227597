#pragma once

#include "schemagen/json/document.h"
#include "schemagen/tree/dom_value.h"

namespace schemagen {

/// Converts a document to a tree that borrows its strings and keys from the document. Bare NaN and infinities
/// become doubles, and integers beyond 64 bits become the nearest double. Throws DataError if the tree
/// exceeds the document's memory limit.
DomValue to_dom(const JsonDocument& document);

/// Parses text, such as a string inside a document, to a tree that borrows nothing. Returns nullopt if the
/// text is not JSON.
std::optional<DomValue> parse_dom(std::string_view text);

/// How to write NaN and infinities: as the strings "NaN", "Infinity" and "-Infinity", or as bare words, which
/// are not JSON but which Python reads.
enum class Nonfinite { quoted, bare };

/// Returns `value` as JSON text, with `", "` and `": "` between tokens.
std::string dom_text(const DomValue& value, Nonfinite nonfinite = Nonfinite::quoted);

}  // namespace schemagen
