#pragma once

#include "model/model.h"
#include "random_schema.h"

namespace schemagen_test {

/// Adds fields of each kind to every struct, two members to every union, a value to every enum, and new
/// types. All have defaults, so values of `before` stay valid. Omits docs.
generator::Model newer_schema(const generator::Model& before, Random& random);

}  // namespace schemagen_test
