#include "text/uri.h"

#include "text/characters.h"

namespace generator {

std::string percent_escape(char c) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  return {'%', kHex[byte >> 4], kHex[byte & 15]};
}

std::string file_uri(std::string_view file) {
  constexpr std::string_view kPlain = "-.~/";  // in a relative URI, a colon ends a scheme
  std::string out = file.substr(0, 1) == "/" ? "file://" : "";
  for (const char c : file) {
    const bool is_plain = is_name_char(c) || kPlain.find(c) != std::string_view::npos;
    out += is_plain ? std::string(1, c) : percent_escape(c);
  }
  return out;
}

}  // namespace generator
