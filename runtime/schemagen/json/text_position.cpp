#include "schemagen/json/text_position.h"

#include <algorithm>

namespace schemagen {

Place place_in_text(std::string_view text, std::size_t offset) {
  return place_in_text(text, offset, Place{0, 1, 1});
}

Place place_in_text(std::string_view text, std::size_t offset, const Place& from) {
  const std::size_t start = *from.offset;
  const std::string_view between = text.substr(start, std::min(offset, text.size()) - start);
  Place place;
  place.offset = start + between.size();
  place.line = from.line + static_cast<std::size_t>(std::count(between.begin(), between.end(), '\n'));
  const std::size_t last_end = between.rfind('\n');
  place.column =
      last_end == std::string_view::npos ? from.column + between.size() : between.size() - last_end;
  return place;
}

}  // namespace schemagen
