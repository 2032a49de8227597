// Findings of the rules, for people and as JSON.
#pragma once

#include <string>
#include <vector>

#include "json_builder.h"
#include "pt2/verify/verify.h"

namespace pt2::tool {

bool has_error(const std::vector<Finding>& findings);

/// A line for each, but for notes: `FILE: error: graph_module.graph.nodes[3].inputs[0].arg: no input ...
/// [RULE]`. `file` is as it is shown.
std::string findings_text(const std::string& file, const std::vector<Finding>& findings);

/// The items of a list: {"rule", "level", "path", "message"} each.
void write_findings(JsonBuilder& json, const std::vector<Finding>& findings);

}  // namespace pt2::tool
