#pragma once

#include "pt2/types.h"
#include "schemagen/base/reflection.h"

namespace pt2 {

/// Returns the schema for reading documents of `version`: the first released schema of the same major version
/// with this minor version or a later one. A later one works because minor versions only add to the schema.
/// Returns null if there is none.
const schemagen::Reflection* released_schema_for(const SchemaVersion& version);

/// Returns the schema that every reader of `version` knows: the last released schema of the same major
/// version with this minor version or an earlier one. Returns null if there is none.
const schemagen::Reflection* released_schema_known_to(const SchemaVersion& version);

}  // namespace pt2
