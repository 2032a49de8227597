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

/// Appends more than one if `owner`, which may be null, has such a member.
std::string with_underscore(std::string name, const Definition* owner);

}  // namespace generator
