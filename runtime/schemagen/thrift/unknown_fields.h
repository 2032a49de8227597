// Writes unknown fields back into payloads.
#pragma once

#include <string>

#include "schemagen/thrift/writer.h"

namespace schemagen {

/// Returns what `written` has, with the unknown fields of its options in their places. Throws DataError with
/// a path if one has no place or is not valid Thrift Compact, if a union stays unset, or if a limit is
/// exceeded.
std::string with_unknown_fields(const CompactWriter& written);

}  // namespace schemagen
