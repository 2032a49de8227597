#pragma once

#include <string>

#include "schemagen/json/writer.h"

namespace schemagen {

/// Returns the written text with the preserved fields inserted. Throws DataError with a path if the value has
/// no place for an unknown field, an unknown field is not JSON, a union stays unset, or a limit is exceeded.
std::string with_unknown_fields(const JsonSink& written, const char* end);

}  // namespace schemagen
