// Kept fields in payloads. The function may be called from several threads at once.
#pragma once

#include <string>

#include "schemagen/thrift/writer.h"

namespace schemagen {

/// What `written` has, with the kept fields of its options in their places.
/// Errors: DataError with path, if one has no place, or is not of the protocol; if a union stays without a
/// member; if a limit is exceeded.
std::string with_kept(const CompactWriter& written);

}  // namespace schemagen
