#pragma once

#include <cstdint>
#include <string>

namespace schemagen {

/// Returns the number and the noun, e.g. `1 byte` or `2 bytes`.
inline std::string counted(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace schemagen
