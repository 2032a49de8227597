// From the text of a schema to its Model.
#pragma once

#include <optional>

#include "front/diagnostics.h"
#include "front/source_file.h"
#include "model/model.h"
#include "text/near_name.h"

namespace generator {

/// The schema in `diagnostics.text()` with all that it imports from `files`, checked; nullopt if they have
/// errors, which are then in `diagnostics`. `rules` are the ids that `allow` may name.
std::optional<Model> load_model(Diagnostics& diagnostics, const Names& rules,
                                const SchemaFiles& files = files_on_disk());

}  // namespace generator
