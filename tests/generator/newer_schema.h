#pragma once

#include "model/model.h"
#include "random_schema.h"

namespace schemagen_test {

/// Values of `before` stay valid, because all additions have defaults. Omits docs.
generator::Model newer_schema(const generator::Model& before, Random& random);

}  // namespace schemagen_test
