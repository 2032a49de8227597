// Lines and columns of a text.
#pragma once

#include <cstddef>
#include <string_view>

#include "schemagen/base/error.h"

namespace schemagen {

/// Returns the place of byte `offset` of `text`; columns count bytes. An offset past the end means the end.
Place place_in_text(std::string_view text, std::size_t offset);

/// The same, scanning only from `from`, an earlier place in this text.
Place place_in_text(std::string_view text, std::size_t offset, const Place& from);

}  // namespace schemagen
