// JSON text for people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "schemagen/base/limits.h"

namespace schemagen {

/// `json`, which has to be JSON, as Python's json.dumps lays it out with an indentation: each member and item
/// on a line of its own, `spaces` further to the right than what holds it; empty objects and lists stay in
/// one. Errors: DataError, if it gets larger than Limits::input_bytes.
std::string indented(std::string_view json, std::size_t spaces, const Limits& limits);

}  // namespace schemagen
