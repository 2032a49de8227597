#pragma once

#include <map>
#include <string_view>

namespace schemagen {

/// Returns "dagre.js", which lays out graphs, and "dagre_licence". Empty if built without dagre. Defined by
/// embed_files.cmake.
const std::map<std::string_view, std::string_view>& page_scripts();

}  // namespace schemagen
