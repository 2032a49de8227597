#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace generator {

/// Only some readers treat it as a line end, or it changes how the text around it is displayed.
struct Control {
  std::size_t offset = 0;
  std::string name;
};

/// Returns the first character in C0 (except tab and line end), DEL, C1, the separators U+2028 and U+2029,
/// and the direction marks U+202A to U+202E and U+2066 to U+2069. Without one, no part of `text` can end a
/// line comment.
std::optional<Control> find_control(std::string_view text);

}  // namespace generator
