#include "schemagen/base/value_path.h"

#include <algorithm>

#include "schemagen/base/quote.h"

namespace schemagen {
namespace {

bool is_identifier(std::string_view key) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !key.empty() && !(key[0] >= '0' && key[0] <= '9') && std::all_of(key.begin(), key.end(), is_word);
}

}  // namespace

void append_key(std::string& path, std::string_view key) {
  if (is_identifier(key)) {
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
