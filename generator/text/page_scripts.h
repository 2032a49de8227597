#pragma once

#include <map>
#include <string_view>

namespace schemagen {

/// "dagre.js" lays out graphs, "curve.js" draws arrows; empty if built without dagre. Defined by
/// embed_files.cmake.
const std::map<std::string_view, std::string_view>& page_scripts();

}  // namespace schemagen
