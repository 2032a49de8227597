#include "schemagen/value/value_path.h"

#include <algorithm>

namespace schemagen {
namespace {

bool is_identifier(std::string_view key) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !key.empty() && !(key[0] >= '0' && key[0] <= '9') && std::all_of(key.begin(), key.end(), is_word);
}

}  // namespace

std::string key_for_message(std::string_view key) {
  constexpr std::size_t kLongest = 80;
  std::size_t length = std::min(key.size(), kLongest);
  // Not in the midst of a character.
  while (length < key.size() && length > 0 && (key[length] & 0xc0) == 0x80) --length;
  std::string result;
  for (const char c : key.substr(0, length)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      constexpr char kEscapeDigits[] = "0123456789abcdef";
      result += {'\\', 'x', kEscapeDigits[byte >> 4], kEscapeDigits[byte & 15]};
    } else {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
  }
  return length < key.size() ? result + "..." : result;
}

void append_key(std::string& path, std::string_view key) {
  if (is_identifier(key)) {
    if (!path.empty()) path += '.';
    path += key_for_message(key);
  } else {
    path += "[\"" + key_for_message(key) + "\"]";
  }
}

void append_index(std::string& path, std::size_t index) {
  path += '[' + std::to_string(index) + ']';
}

}  // namespace schemagen
