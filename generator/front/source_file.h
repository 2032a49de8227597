// Where schemas are read from.
#pragma once

#include <string>

namespace generator {

/// The text of the file at `path`; `-` is stdin. Errors: std::system_error.
std::string read_schema(const std::string& path);

}  // namespace generator
