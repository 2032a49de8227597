// Writes unknown fields back into payloads.
#pragma once

#include <string>

#include "schemagen/thrift/writer.h"

namespace schemagen {

/// Returns what `written` has, with the unknown fields of its options in their places.
/// Errors: DataError with path, if one has no place, or is not of the protocol; if a union stays without a
/// member; if a limit is exceeded.
std::string with_unknown_fields(const CompactWriter& written);

}  // namespace schemagen
