// Copies ids, docs and reservations from older schemas to an imported one.
#pragma once

#include <vector>

#include "front/diagnostics.h"
#include "import/imported_schema.h"
#include "model/model.h"

namespace generator {

/// Gives each field without an id the id from the first schema in `older` that has the field. If `assigns`,
/// gives the remaining fields multiples of ten above the largest id of their type; otherwise reports them.
void number_fields(ImportedSchema& schema, const std::vector<Model>& older, bool assigns,
                   Diagnostics& diagnostics);

/// Copies docs, `since`, `deprecated`, `json`, `cpp_name`, `states_version` and `boxed` by name. They replace
/// docs from comments; if several older schemas have a value, the first one counts.
void take_docs(ImportedSchema& schema, const std::vector<Model>& older);

/// Reserves the ids and names that `older` reserves, and those removed since then. Skips types whose kind
/// changed.
void reserve(ImportedSchema& schema, const Model& older);

}  // namespace generator
