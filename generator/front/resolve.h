#pragma once

#include "front/imports.h"
#include "model/model.h"
#include "text/message.h"

namespace generator {

/// Returns the last schema, with the types and constants of all documents, or nullopt after errors. Nodes
/// that could not be parsed cause no further messages. `rules` are the ids that `allow` can name.
std::optional<Model> resolve(const std::vector<Document>& documents, const Names& rules,
                             Diagnostics& diagnostics);

std::optional<Model> load_model(Diagnostics& diagnostics, const Names& rules,
                                const SchemaFiles& files = files_on_disk());

}  // namespace generator
