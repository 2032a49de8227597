#pragma once

#include <string>

#include "schemagen/json/writer.h"

namespace schemagen {

/// Returns the text with the preserved fields. Throws DataError with a path if an unknown field has no place
/// or is not JSON, if a union stays unset, or if a limit is exceeded.
std::string with_unknown_fields(const JsonSink& written, const char* end);

}  // namespace schemagen
