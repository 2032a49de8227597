// Characters that are no part of what people write.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace generator {

/// A character that ends lines for some readers and not for others, or that changes how text around it is
/// shown.
struct Control {
  std::size_t offset = 0;  // in bytes
  std::string name;        // `U+000D`
};

/// The first of C0 (but for the tab and the line end), DEL, C1, the separators U+2028 and U+2029, and the
/// marks of direction U+202A to U+202E and U+2066 to U+2069; none: nothing in `text`, which is UTF-8, can
/// leave a comment that is written line by line.
std::optional<Control> find_control(std::string_view text);

}  // namespace generator
