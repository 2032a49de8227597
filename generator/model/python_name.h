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

bool has_member(const Definition& type, std::string_view name);

/// Appends `_` to `name`, or more than one if `owner`, which can be null, has a member of that name.
std::string with_underscore(std::string name, const Definition* owner);

}  // namespace generator
