// Converts between JSON and values that can be changed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schemagen/json/document.h"
#include "schemagen/tree/dom_value.h"

namespace schemagen {

/// Returns the value of `document`, borrowing its strings and keys. Bare NaN and infinities become doubles,
/// integers beyond 64 bits the nearest double. Throws DataError beyond the memory limit of the document.
DomValue to_dom(const JsonDocument& document);

/// Returns the value of `text`, borrowing nothing; nullopt if it is not JSON. For text within documents that
/// were read.
std::optional<DomValue> parse_dom(std::string_view text);

/// Whether NaN and infinities are written as strings ("NaN", "Infinity", "-Infinity") or as bare words, which
/// JSON lacks but Python reads.
enum class Nonfinite { quoted, bare };

/// Returns `value` as JSON text, with `", "` and `": "` between tokens.
std::string dom_text(const DomValue& value, Nonfinite nonfinite = Nonfinite::quoted);

}  // namespace schemagen
