// The values of schema types that the standard library has no type for. Several threads may read one object
// at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace schemagen {

/// `bytes`: base64 text in JSON.
using Bytes = std::vector<std::uint8_t>;

/// `Tuple[()]`: nothing. `[]` in JSON, an empty struct in binary.
struct Unit {
  friend bool operator==(Unit, Unit) noexcept { return true; }
  friend bool operator!=(Unit, Unit) noexcept { return false; }
};

/// `Any`: one JSON value, kept as its text. Writers check that it is one.
struct Json {
  std::string text = "null";

  friend bool operator==(const Json& a, const Json& b) { return a.text == b.text; }
  friend bool operator!=(const Json& a, const Json& b) { return !(a == b); }
};

}  // namespace schemagen
