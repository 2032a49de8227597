#pragma once

#include <string>

#include "pt2/show/diagram.h"

namespace pt2::tool {

/// Source: graph_builder.py of google-ai-edge/model-explorer; its JSON adapter reads one graph collection.
/// Groups become namespaces, arguments and metadata attributes.
std::string model_explorer_json(const Diagram& view, const std::string& title);

}  // namespace pt2::tool
