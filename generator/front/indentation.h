#pragma once

#include "front/diagnostics.h"
#include "front/yaml.h"

namespace generator {

/// Reports keys on the same level as their parent, e.g. `fields` next to the type `Note`, which is valid YAML
/// but not a schema. If there are any, further messages would be misleading.
bool report_keys_beside_theirs(const YamlNode& root, Diagnostics& diagnostics);

}  // namespace generator
