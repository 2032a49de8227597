// Finds YAML that is valid but is not indented as a schema must be.
#pragma once

#include "front/diagnostics.h"
#include "front/yaml.h"

namespace generator {

/// Reports keys on the same level as their parent, e.g. `fields` next to the type `Note`, a type next to
/// `types`, or `id` next to a field. Returns whether there are any; if so, further messages would be
/// misleading.
bool report_keys_beside_theirs(const YamlNode& root, Diagnostics& diagnostics);

}  // namespace generator
