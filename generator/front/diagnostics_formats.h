#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "front/diagnostics.h"

namespace generator {

/// schema/README.md documents the keys.
std::string diagnostics_as_json(const std::vector<Diagnostics>& files);

std::string diagnostics_as_sarif(const std::vector<Diagnostics>& files, std::string_view version);

std::string diagnostics_as_github(const std::vector<Diagnostics>& files);

}  // namespace generator
