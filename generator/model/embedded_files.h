#pragma once

#include <map>
#include <string_view>

namespace generator {

/// Returns the templates by name without `.mustache`, the lists in cpp_words, the files of the HTML page,
/// "torch_modules.txt" and "schema-rules.md". Defined by embed_files.cmake.
const std::map<std::string_view, std::string_view>& embedded_files();

}  // namespace generator
