#pragma once

#include <string>

#include "schemagen/thrift/writer.h"

namespace schemagen {

/// Returns the payload with the preserved fields. Throws DataError with a path if an unknown field has no
/// place or is not valid Thrift Compact, if a union stays unset, or if a limit is exceeded.
std::string with_unknown_fields(const CompactWriter& written);

}  // namespace schemagen
