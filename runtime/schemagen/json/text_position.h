#pragma once

#include <cstddef>
#include <string_view>

#include "schemagen/base/error.h"

namespace schemagen {

/// Columns count bytes. An offset past the end means the end.
Place place_in_text(std::string_view text, std::size_t offset);

Place place_in_text(std::string_view text, std::size_t offset, const Place& from);

}  // namespace schemagen
