// Kept fields in JSON. The function may be called from several threads at once.
#pragma once

#include <string>

#include "schemagen/json/writer.h"

namespace schemagen {

/// What `written` has up to `end`, with the kept fields of its options in their places.
/// Errors: DataError with path, if one has no place, or is not JSON; if a union stays without a member; if a
/// limit is exceeded.
std::string with_kept(const JsonSink& written, const char* end);

}  // namespace schemagen
