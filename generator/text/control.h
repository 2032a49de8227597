#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace generator {

/// A character that changes how the text around it is displayed, or that only some readers treat as a line
/// end.
struct Control {
  std::size_t offset = 0;
  std::string name;
};

/// Finds C0 (except tab and newline), DEL, C1, the separators U+2028 and U+2029, and the direction marks
/// U+202A to U+202E and U+2066 to U+2069. Without one, no line of `text` can end a line comment.
std::optional<Control> find_control(std::string_view text);

}  // namespace generator
