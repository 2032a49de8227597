// The schemas that releases of PyTorch had, as tables to walk their documents by.
#pragma once

#include "pt2/types.h"
#include "schemagen/base/reflection.h"

namespace pt2 {

/// The schema for documents of `version`: the first one of its major that was released with this minor or a
/// later one, which has all that came before it. Null: there is none.
const schemagen::Reflection* released_schema_for(const SchemaVersion& version);

/// What a reader of `version` is sure to know: the last schema of its major that was released with this minor
/// or an earlier one. Null: there is none.
const schemagen::Reflection* released_schema_known_to(const SchemaVersion& version);

}  // namespace pt2
