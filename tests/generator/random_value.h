// Random values of a schema's types, as JSON.
#pragma once

#include <cstddef>
#include <string>

#include "model/model.h"
#include "random_schema.h"

namespace schemagen_test {

/// Returns a value of the type with this index, with all fields in the schema's order and a few levels deep.
/// Some strings are base64, some floats not finite, some ints as large as possible.
std::string random_value(const generator::Model& model, std::size_t type, Random& random);

}  // namespace schemagen_test
