// Random values of a schema's types, as JSON.
#pragma once

#include <cstddef>
#include <string>

#include "model/model.h"
#include "random_schema.h"

namespace schemagen_test {

/// A value of the type with this index, with all its fields in the schema's order. Few levels deep, also
/// where types hold themselves. Strings are partly base64, floats partly not finite, ints partly as large as
/// can be.
std::string random_value(const generator::Model& model, std::size_t type, Random& random);

}  // namespace schemagen_test
