// Nodes to Model: the meaning of the schema language, and every error a schema can have.
#pragma once

#include <optional>

#include "front/diagnostics.h"
#include "front/yaml.h"
#include "model/model.h"
#include "text/near_name.h"

namespace generator {

/// The schema that `root` (from `parse_yaml`) describes; none if `diagnostics` then has errors,
/// those of `parse_yaml` included. What could not be parsed causes no further messages.
/// `rules` are the ids that `allow` may name.
/// Errors: all that the schema has are added to `diagnostics`.
std::optional<Model> resolve(const YamlNode& root, const Names& rules, Diagnostics& diagnostics);

}  // namespace generator
