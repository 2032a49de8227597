// UTF-8, as the standard has it.
#pragma once

#include <cstddef>
#include <string_view>

namespace generator {

/// Length in bytes of the UTF-8 sequence that begins at `text[at]`; 0 if none does: overlong forms,
/// surrogates and values above U+10FFFF are none.
std::size_t utf8_length(std::string_view text, std::size_t at);

}  // namespace generator
