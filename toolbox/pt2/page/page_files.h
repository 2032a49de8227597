#pragma once

#include <map>
#include <string_view>

namespace pt2 {

/// By file name. Defined by embed_files.cmake.
const std::map<std::string_view, std::string_view>& page_files();

}  // namespace pt2
