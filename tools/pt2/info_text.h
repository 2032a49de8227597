#pragma once

#include <string>

#include "pt2/program.h"

namespace pt2::tool {

/// `archive` can be null.
std::string info_text(const std::string& path, const LoadedProgram& loaded, const Archive* archive);

/// For an archive without programs.
std::string info_text(const std::string& path, const Archive& archive);

}  // namespace pt2::tool
