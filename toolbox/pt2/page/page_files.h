#pragma once

#include <map>
#include <string_view>

namespace pt2 {

/// Returns the files of the page by name. Defined by embed_files.cmake.
const std::map<std::string_view, std::string_view>& page_files();

}  // namespace pt2
