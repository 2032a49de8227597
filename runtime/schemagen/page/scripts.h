// Scripts of others that pages carry.
#pragma once

#include <map>
#include <string_view>

namespace schemagen {

/// "dagre.js", which lays out graphs, and "dagre_licence", which goes with it as a comment of JavaScript.
/// Empty if this was built without. Defined by embed_files.cmake.
const std::map<std::string_view, std::string_view>& scripts();

}  // namespace schemagen
