#pragma once

#include <map>
#include <string_view>

namespace generator {

/// "page.html", a Mustache template, "page.css" and "graph_picture.js" of the page; "torch_modules.txt".
/// Defined by embed_files.cmake.
const std::map<std::string_view, std::string_view>& export_files();

}  // namespace generator
