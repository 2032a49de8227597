#pragma once

#include "model/model.h"
#include "random_schema.h"
#include "reflective_codec.h"

namespace schemagen_test {

/// A few levels deep: bounds of integer types; floats that are rounded or not finite; text like numbers,
/// base64 or names; enum numbers without a name. Any and text also get values and names from `other`.
Value boundary_value(const ReflectiveCodec& codec, const generator::Type& type, const ReflectiveCodec& other,
                     Random& random);

}  // namespace schemagen_test
