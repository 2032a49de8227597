#pragma once

#include <cstddef>
#include <string>

#include "model/model.h"
#include "random_schema.h"

namespace schemagen_test {

/// All fields in the schema's order, a few levels deep. Some strings are base64, some floats not finite, some
/// ints extreme.
std::string random_value(const generator::Model& model, std::size_t type, Random& random);

}  // namespace schemagen_test
