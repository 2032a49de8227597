// FILE arguments.
#pragma once

#include <string>

#include "pt2/archive/file.h"

namespace pt2::tool {

/// The bytes of the file at `path`, `-` for standard input. Errors: as read_file() and read_all().
FileBytes read_input(const std::string& path);

}  // namespace pt2::tool
