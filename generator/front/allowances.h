#pragma once

#include <vector>

#include "front/diagnostics.h"
#include "front/yaml.h"
#include "model/model.h"
#include "text/near_name.h"

namespace generator {

/// `allow` of the schema, a type or a field. `rules` are the ids that it may name.
std::vector<Allowance> read_allowances(const YamlNode& owner, const Names& rules, Diagnostics& diagnostics);

}  // namespace generator
