#pragma once

#include <optional>
#include <vector>

#include "front/diagnostics.h"
#include "front/imports.h"
#include "model/model.h"
#include "text/near_name.h"

namespace generator {

/// Returns the schema of the last of `documents`, with the types and constants of all documents. After
/// errors, returns nullopt; `diagnostics` has all of them. Nodes that could not be parsed cause no further
/// messages. `rules` are the ids that `allow` may name.
std::optional<Model> resolve(const std::vector<Document>& documents, const Names& rules,
                             Diagnostics& diagnostics);

}  // namespace generator
