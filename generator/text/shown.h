// Whole messages, and what stands in them as it is.
#pragma once

#include <string>
#include <string_view>

#include "schemagen/base/quote.h"

namespace generator {

/// A message, or the name of a file in one: printable, and cut where it is longer than anybody reads.
inline std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 500;
  return schemagen::printable_start(text, {}, kMost);
}

}  // namespace generator
