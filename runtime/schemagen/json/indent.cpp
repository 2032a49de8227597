#include "schemagen/json/indent.h"

#include <algorithm>

#include "schemagen/base/error.h"
#include "schemagen/json/document.h"

namespace schemagen {

std::string indented(std::string_view json, std::size_t spaces, const Limits& limits) {
  const std::size_t limit = limits.input_bytes;
  std::string text;
  text.reserve(json.size());
  std::size_t depth = 0;
  const auto require_room = [&](std::size_t more) {
    if (more <= limit && text.size() <= limit - more) return;
    throw DataError(too_many_bytes("a document", text.size() + more, limit));
  };
  const auto new_line = [&] {
    const std::size_t width = depth * std::min(spaces, limit);
    require_room(1 + width);
    text += '\n';
    text.append(width, ' ');
  };
  bool is_opened = false;
  for (std::size_t at = 0; (at = json.find_first_not_of(" \t\r\n", at)) != std::string_view::npos;) {
    const char c = json[at];
    const bool closes = c == '}' || c == ']';
    if (closes) --depth;
    if (closes != is_opened) new_line();
    is_opened = c == '{' || c == '[';
    if (is_opened) ++depth;
    const std::size_t end = c == ',' || c == ':' ? at + 1 : end_of_json_token(json, at);
    text.append(json, at, end - at);
    at = end;
    if (c == ',') new_line();
    if (c == ':') text += ' ';
  }
  require_room(0);
  return text;
}

}  // namespace schemagen
