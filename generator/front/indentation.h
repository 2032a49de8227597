// Keys that are indented too little, so that YAML is right and the schema is not.
#pragma once

#include "front/diagnostics.h"
#include "front/yaml.h"

namespace generator {

/// Reports keys that stand beside the one that they belong to: `fields` beside the type `Note`, types beside
/// `types`, `id` beside a field. If there are any, gives true: what else is said of the document would be
/// about keys that nobody meant.
bool report_keys_beside_theirs(const YamlNode& root, Diagnostics& diagnostics);

}  // namespace generator
