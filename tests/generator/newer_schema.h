// Made-up newer versions of schemas, which only add to them.
#pragma once

#include "model/model.h"
#include "random_schema.h"

namespace schemagen_test {

/// The schema with a new field of every kind in every struct, at any places among its fields and with any ids
/// that are free; two new members in every union, a new value in every enum, and types of its own. What is
/// new has defaults, so that a value of `before` is one of this, too. Docs are left out.
generator::Model newer_schema(const generator::Model& before, Random& random);

}  // namespace schemagen_test
