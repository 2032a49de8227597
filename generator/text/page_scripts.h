#pragma once

#include <map>
#include <string_view>

namespace schemagen {

/// Returns the scripts by name: "dagre.js" lays out graphs, and "curve.js" draws arrows. Empty if built
/// without dagre. Defined by embed_files.cmake.
const std::map<std::string_view, std::string_view>& page_scripts();

}  // namespace schemagen
