// Names that are reserved in Python.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "model/model.h"

namespace generator {

template <typename Words>
bool is_among(const Words& words, std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

/// Returns whether `type` has a field, member or value of this name.
bool has_member(const Definition& type, std::string_view name);

/// Appends `_` to `name`, and another one if `owner` has a member of that name. `owner` may be null.
std::string with_underscore(std::string name, const Definition* owner);

}  // namespace generator
