#include "schemagen/text_position.h"

#include <algorithm>

namespace schemagen {

Place place_in_text(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  Place place;
  place.offset = before.size();
  place.line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  place.column = before.size() - line_start + 1;
  return place;
}

}  // namespace schemagen
