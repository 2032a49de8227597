#include "schemagen/json/document.h"

#include "schemagen/json/escapes.h"

namespace schemagen {

std::string_view JsonTape::unescaped(std::size_t i, std::string& scratch) const {
  const std::string_view raw = string(i);
  const char* const after = raw.data() + raw.size() + 1;
  return close_string(raw.data(), after, scratch)->value;
}

}  // namespace schemagen
