// The style sheet and scripts of pages, embedded in the program.
#pragma once

#include <map>
#include <string_view>

namespace pt2 {

/// By file name in toolbox/pt2/page. Defined by embed_files.cmake.
const std::map<std::string_view, std::string_view>& page_files();

}  // namespace pt2
