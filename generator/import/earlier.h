#pragma once

#include <vector>

#include "front/diagnostics.h"
#include "import/imported_schema.h"
#include "model/model.h"

namespace generator {

/// Uses the id from the first schema in `older` that has the field. If `assigns` is true, all other fields
/// get multiples of ten above the largest id of their type; otherwise, they are reported.
void number_fields(ImportedSchema& schema, const std::vector<Model>& older, bool assigns,
                   Diagnostics& diagnostics);

/// Copies docs, `since`, `deprecated`, `json`, `cpp_name`, `states_version` and `boxed` by name. The first of
/// several older schemas takes precedence, even over docs from comments.
void take_docs(ImportedSchema& schema, const std::vector<Model>& older);

/// Adds the reservations of `older`, and reserves the ids and names that were removed since. Skips types
/// whose kind has changed.
void reserve(ImportedSchema& schema, const Model& older);

}  // namespace generator
