// What an imported schema takes from older ones.
#pragma once

#include <vector>

#include "front/diagnostics.h"
#include "import/imported_schema.h"
#include "model/model.h"

namespace generator {

/// Gives each field without an id the id that the field of its type and name has in the first of `older` that
/// has it. With `assigns`, the fields left over get the multiples of ten after the largest id that their type
/// has or had; otherwise they are reported.
void number_fields(ImportedSchema& schema, const std::vector<Model>& older, bool assigns,
                   Diagnostics& diagnostics);

/// Adds what people wrote to `older`: docs, `since`, `deprecated`, `json`, `cpp_name`, `states_version` and
/// `boxed`,
/// by name. The schema's own docs, from comments, are replaced; of several older schemas the first one that
/// has something wins.
void take_docs(ImportedSchema& schema, const std::vector<Model>& older);

/// Reserves what `older` reserves, and the ids and names of what is gone. Types of another kind have no such
/// ids.
void reserve(ImportedSchema& schema, const Model& older);

}  // namespace generator
