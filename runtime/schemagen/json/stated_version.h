#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "schemagen/base/schema_version.h"
#include "schemagen/json/document.h"

namespace schemagen {

std::size_t find_member(const JsonTape& tape, std::size_t object, std::string_view key);

/// Returns the version at `index`, which is either an object such as {"major": 2, "minor": 4} or only a major
/// version. Returns nullopt for anything else, and for index 0.
std::optional<Version> stated_version(const JsonTape& tape, std::size_t index);

}  // namespace schemagen
