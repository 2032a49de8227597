// Made-up newer versions of schemas, which only add to them.
#pragma once

#include "model/model.h"
#include "random_schema.h"

namespace schemagen_test {

/// Adds to every struct a new field of each kind, at any position and with any free id, to every union two
/// members, to every enum a value, and new types. Everything new has a default, so a value of `before` is
/// valid in the result. Docs are left out.
generator::Model newer_schema(const generator::Model& before, Random& random);

}  // namespace schemagen_test
