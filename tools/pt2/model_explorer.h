// Graphs of programs for Model Explorer.
#pragma once

#include <string>

#include "pt2/show/diagram.h"

namespace pt2::tool {

/// Returns a graph collection in JSON: groups become namespaces, arguments and metadata become attributes.
/// Source: google-ai-edge/model-explorer, graph_builder.py; its JSON adapter reads a file with one
/// collection.
std::string model_explorer_json(const Diagram& view, const std::string& title);

}  // namespace pt2::tool
