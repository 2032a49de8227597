#pragma once

#include <string>

#include "pt2/show/diagram.h"

namespace pt2::tool {

/// Returns JSON for google-ai-edge/model-explorer, whose JSON adapter reads one graph collection. Groups
/// become namespaces; arguments and metadata become attributes. Source: graph_builder.py of model-explorer.
std::string model_explorer_json(const Diagram& view, const std::string& title);

}  // namespace pt2::tool
