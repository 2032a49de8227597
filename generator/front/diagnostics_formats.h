#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "front/diagnostics.h"

namespace generator {

/// For programs; schema/README.md has the keys.
std::string diagnostics_as_json(const std::vector<Diagnostics>& files);

/// For tools that collect findings: SARIF 2.1.0, with schemagen's version.
std::string diagnostics_as_sarif(const std::vector<Diagnostics>& files, std::string_view version);

/// For GitHub's log: one workflow command per message.
std::string diagnostics_as_github(const std::vector<Diagnostics>& files);

}  // namespace generator
