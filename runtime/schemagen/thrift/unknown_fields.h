#pragma once

#include <string>

#include "schemagen/thrift/writer.h"

namespace schemagen {

/// Returns the written payload with the preserved fields inserted. Throws DataError with a path if the value
/// has no place for an unknown field, an unknown field is not valid Thrift Compact, a union stays unset, or a
/// limit is exceeded.
std::string with_unknown_fields(const CompactWriter& written);

}  // namespace schemagen
