#pragma once

#include <string>

#include "pt2/show/diagram.h"

namespace pt2::tool {

std::string dot_text(const Diagram& view, const std::string& title);

}  // namespace pt2::tool
