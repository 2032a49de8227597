// JSON documents that can be changed: RapidJSON's, made from a parsed document and written as text again.
// Several threads may read the same object at once.
#pragma once

#include <string>

#include "schemagen/document/rapidjson_document.h"
#include "schemagen/json/document.h"

namespace schemagen {

/// The values of `document`, in memory of their own, which one thread may change at a time, in the same
/// order, duplicate keys included. Strings are copies that end in NUL: `document` may go. Bare NaN and
/// infinities are doubles in it, and whole numbers beyond 64 bits the nearest double.
rapidjson::Document to_dom(const JsonDocument& document);

/// How NaN and infinities are written: as the strings "NaN", "Infinity" and "-Infinity", or as these words
/// without quotes, which JSON lacks but Python reads.
enum class Nonfinite { quoted, bare };

/// `value` as JSON text, with `", "` and `": "` between tokens.
std::string dom_text(const rapidjson::Value& value, Nonfinite nonfinite = Nonfinite::quoted);

}  // namespace schemagen
