#pragma once

#include "pt2/types.h"
#include "schemagen/base/reflection.h"

namespace pt2 {

/// Returns the schema for reading documents of `version`: the first release of its major version with this
/// minor version or a later one, because schemas only add. Null if there is none.
const schemagen::Reflection* released_schema_for(const SchemaVersion& version);

/// Returns the schema that every reader of `version` knows: the last release of its major version with this
/// minor version or an earlier one. Null if there is none.
const schemagen::Reflection* released_schema_known_to(const SchemaVersion& version);

}  // namespace pt2
