// Documents as values that can be changed: made of text or of a parsed document, and written as text
// again.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schemagen/json/document.h"
#include "schemagen/tree/dom_value.h"

namespace schemagen {

/// The value of `document`, from which its strings and keys are borrowed. Bare NaN and infinities are doubles
/// in it, and whole numbers beyond 64 bits the nearest double. Errors: DataError, if it would need more
/// memory than the document leaves of its limit.
DomValue to_dom(const JsonDocument& document);

/// The value of a text, of which it borrows nothing; nullopt if that is no JSON. For texts of documents that
/// were read.
std::optional<DomValue> parse_dom(std::string_view text);

/// How NaN and infinities are written: as the strings "NaN", "Infinity" and "-Infinity", or as these words
/// without quotes, which JSON lacks but Python reads.
enum class Nonfinite { quoted, bare };

/// `value` as JSON text, with `", "` and `": "` between tokens.
std::string dom_text(const DomValue& value, Nonfinite nonfinite = Nonfinite::quoted);

}  // namespace schemagen
