#include "text/yaml_string.h"

#include <cstddef>
#include <optional>

#include "schemagen/base/utf8.h"
#include "text/characters.h"
#include "text/control.h"
#include "text/json_text.h"

namespace generator {

std::string yaml_string(std::string_view text) {
  std::string out = json_string(text);
  // JSON allows some characters that the schema language does not.
  while (const std::optional<Control> control = find_control(out)) {
    std::size_t end = control->offset;
    schemagen::next_code_point(out, end);
    out.replace(control->offset, end - control->offset, "\\u" + lower(control->name.substr(2)));
  }
  return out;
}

}  // namespace generator
