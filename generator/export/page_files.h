// The style and the script of the page, as they are built into the program.
#pragma once

#include <map>
#include <string_view>

namespace generator {

/// "page.css" and "graph_picture.js". Defined by embed_files.cmake.
const std::map<std::string_view, std::string_view>& page_files();

}  // namespace generator
