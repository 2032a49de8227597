// What `pt2 info` prints for people.
#pragma once

#include <string>

#include "pt2/program.h"

namespace pt2::tool {

std::string info_text(const std::string& path, const LoadedProgram& loaded);

}  // namespace pt2::tool
