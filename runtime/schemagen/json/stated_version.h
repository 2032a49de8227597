// The version that a document states, which is to be known before all else in it is read.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "schemagen/base/schema_version.h"
#include "schemagen/json/document.h"

namespace schemagen {

/// Index of the value of `key` in the object at `object`; 0: there is none.
std::size_t find_member(const JsonTape& tape, std::size_t object, std::string_view key);

/// The version that the value at `index` is: {"major": 2, "minor": 4}, or a major alone. nullopt: it is none,
/// or `index` is 0.
std::optional<Version> stated_version(const JsonTape& tape, std::size_t index);

}  // namespace schemagen
