// Copies ids, docs and reservations from older schemas to an imported one.
#pragma once

#include <vector>

#include "front/diagnostics.h"
#include "import/imported_schema.h"
#include "model/model.h"

namespace generator {

/// Gives each field without an id the id that it has in the first of `older` with this field. If `assigns`,
/// the rest get multiples of ten after the largest id of their type; otherwise they are reported.
void number_fields(ImportedSchema& schema, const std::vector<Model>& older, bool assigns,
                   Diagnostics& diagnostics);

/// Copies docs, `since`, `deprecated`, `json`, `cpp_name`, `states_version` and `boxed` by name. They replace
/// docs from comments; if several older schemas have a value, the first one counts.
void take_docs(ImportedSchema& schema, const std::vector<Model>& older);

/// Reserves what `older` reserves, and the ids and names that were removed, unless the kind of the type
/// changed.
void reserve(ImportedSchema& schema, const Model& older);

}  // namespace generator
