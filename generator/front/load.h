// From the text of a schema to its Model.
#pragma once

#include <optional>

#include "front/diagnostics.h"
#include "model/model.h"
#include "text/near_name.h"

namespace generator {

/// The schema in `diagnostics.text()`, checked; nullopt if it has errors, which are then in `diagnostics`.
/// `rules` are the ids that `allow` may name.
std::optional<Model> load_model(Diagnostics& diagnostics, const Names& rules);

}  // namespace generator
