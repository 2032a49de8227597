#pragma once

#include <string>

#include "pt2/show/diagram.h"

namespace pt2::tool {

/// Groups become namespaces, arguments and metadata attributes. Source: google-ai-edge/model-explorer,
/// graph_builder.py; its JSON adapter reads a file with one graph collection.
std::string model_explorer_json(const Diagram& view, const std::string& title);

}  // namespace pt2::tool
