// Names that Python has another plan for.
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

/// Whether `type` has a field, member or value of this name.
bool has_member(const Definition& type, std::string_view name);

/// `name` with `_` behind it; with another one if `owner`, the type that it is a member of, has that. Null:
/// it is of no type's member.
std::string with_underscore(std::string name, const Definition* owner);

}  // namespace generator
