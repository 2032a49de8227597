// Scripts that pages with graphs carry.
#pragma once

#include <map>
#include <string_view>

namespace schemagen {

/// "dagre.js", which lays out graphs, "dagre_licence", which goes with it as a comment of JavaScript, and
/// "curve.js", which draws the arrows. Empty if this was built without. Defined by embed_files.cmake.
const std::map<std::string_view, std::string_view>& page_scripts();

}  // namespace schemagen
