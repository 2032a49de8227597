// What `pt2 info` prints for people.
#pragma once

#include <string>

#include "pt2/program.h"

namespace pt2::tool {

/// `archive` is where the program was found; null: not in one.
std::string info_text(const std::string& path, const LoadedProgram& loaded, const Archive* archive);

/// Of an archive without programs.
std::string info_text(const std::string& path, const Archive& archive);

}  // namespace pt2::tool
