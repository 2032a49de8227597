// Finds YAML that is valid, but indented differently from what the schema needs.
#pragma once

#include "front/diagnostics.h"
#include "front/yaml.h"

namespace generator {

/// Reports keys on the same level as their parent: `fields` next to the type `Note`, types next to `types`,
/// `id` next to a field. Returns whether there are any; further messages would be misleading.
bool report_keys_beside_theirs(const YamlNode& root, Diagnostics& diagnostics);

}  // namespace generator
