#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "schemagen/base/limits.h"

namespace schemagen {

/// Lays out valid `json` as json.dumps(indent=spaces) does: one member or item per line, and empty objects
/// and lists on one line. Throws DataError if the result exceeds Limits::input_bytes.
std::string indented(std::string_view json, std::size_t spaces, const Limits& limits);

}  // namespace schemagen
