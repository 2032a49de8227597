// The strings of a JSON text, also of one that no parser takes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace pt2 {

struct JsonString {
  std::string key;       // of the member that it is the value of; empty: it is in a list
  std::string_view raw;  // without its quotes, with its escapes
  std::size_t position = 0;
  bool has_inputs = false;  // the object around it has a member `inputs`, as nodes have
};

/// Calls `visit` with each string that is not a key, those of one object when that ends.
void for_each_string(std::string_view json, const std::function<void(const JsonString&)>& visit);

/// The string without its escapes; those of characters beyond ASCII become `?`.
std::string plain_text(std::string_view raw);

}  // namespace pt2
