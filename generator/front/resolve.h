// Nodes to Model: the meaning of the schema language, and every error a schema can have.
#pragma once

#include <optional>
#include <vector>

#include "front/diagnostics.h"
#include "front/imports.h"
#include "model/model.h"
#include "text/near_name.h"

namespace generator {

/// The schema that `documents` (from `read_documents`) describe: the last one with the types and constants of
/// all; none if `diagnostics` then has errors, those of `read_documents` included. What could not be parsed
/// causes no further messages. `rules` are the ids that `allow` may name. Errors: all that the schema has are
/// added to `diagnostics`.
std::optional<Model> resolve(const std::vector<Document>& documents, const Names& rules,
                             Diagnostics& diagnostics);

}  // namespace generator
