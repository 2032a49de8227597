#include "schemagen/base/value_path.h"

#include "schemagen/base/ascii.h"
#include "schemagen/base/quote.h"

namespace schemagen {
void append_key(std::string& path, std::string_view key) {
  constexpr std::size_t kShown = 100;  // a long key can be in the paths of many findings
  if (is_identifier(key.substr(0, kShown))) {
    if (!path.empty()) path += '.';
    path += printable_start(key);
  } else {
    path += "[\"" + printable_start(key, "\"\\") + "\"]";
  }
}

void append_index(std::string& path, std::size_t index) {
  path += '[' + std::to_string(index) + ']';
}

void append_id(std::string& path, std::int32_t id) {
  path += (path.empty() ? "#" : ".#") + std::to_string(id);
}

}  // namespace schemagen
