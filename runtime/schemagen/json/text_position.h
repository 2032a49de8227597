#pragma once

#include <cstddef>
#include <string_view>

#include "schemagen/base/error.h"

namespace schemagen {

/// Returns the line and column at `offset`. Columns count bytes. An offset past the end counts as the end.
Place place_in_text(std::string_view text, std::size_t offset);

Place place_in_text(std::string_view text, std::size_t offset, const Place& from);

}  // namespace schemagen
