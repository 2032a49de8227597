// Whether two schemas say the same, places apart.
#pragma once

#include "model/model.h"

namespace generator {

/// Are the two alike in all that a schema can say, docs and order included?
bool same_meaning(const Model& a, const Model& b);

}  // namespace generator
