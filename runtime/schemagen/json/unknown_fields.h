// Writes unknown fields back into JSON.
#pragma once

#include <string>

#include "schemagen/json/writer.h"

namespace schemagen {

/// Returns what `written` has up to `end`, with the unknown fields of its options in their places.
/// Errors: DataError with path, if one has no place, or is not JSON; if a union stays without a member; if a
/// limit is exceeded.
std::string with_unknown_fields(const JsonSink& written, const char* end);

}  // namespace schemagen
