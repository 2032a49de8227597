// Lines and columns of a text.
#pragma once

#include <cstddef>
#include <string_view>

#include "schemagen/base/error.h"

namespace schemagen {

/// The place of byte `offset` of `text`; columns count bytes. An offset past the end is the end.
Place place_in_text(std::string_view text, std::size_t offset);

/// The same for an offset not before `from`, a place of this text: of the text only what is between is read.
Place place_in_text(std::string_view text, std::size_t offset, const Place& from);

}  // namespace schemagen
