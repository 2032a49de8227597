#pragma once

#include <string>
#include <string_view>

#include "schemagen/base/quote.h"

namespace generator {

inline std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 500;
  return schemagen::printable_start(text, {}, kMost);
}

}  // namespace generator
