#pragma once

#include <string>

#include "pt2/show/diagram.h"

namespace pt2::tool {

/// Groups become clusters, nodes n0, n1, ..., and arrows have the types of their values.
std::string dot_text(const Diagram& view, const std::string& title);

}  // namespace pt2::tool
