// The version that a document states, needed before the rest is read.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "schemagen/base/schema_version.h"
#include "schemagen/json/document.h"

namespace schemagen {

/// Returns the index of the value of `key` in the object at `object`, or 0.
std::size_t find_member(const JsonTape& tape, std::size_t object, std::string_view key);

/// Returns the version at `index`: {"major": 2, "minor": 4}, or a major version alone. Returns nullopt if it
/// is not one, or if `index` is 0.
std::optional<Version> stated_version(const JsonTape& tape, std::size_t index);

}  // namespace schemagen
