// The signature of a program as JSON.
#pragma once

#include "json_builder.h"
#include "pt2/types.h"

namespace pt2::tool {

/// Writes an object with the properties of torch.export.graph_signature.ExportGraphSignature, under their
/// names there. Constants among user_inputs and user_outputs are JSON values, floats that are not finite
/// strings.
void write_signature(JsonBuilder& json, const GraphSignature& signature);

}  // namespace pt2::tool
