// Random values at the boundaries of their types.
#pragma once

#include "model/model.h"
#include "random_schema.h"
#include "reflective_codec.h"

namespace schemagen_test {

/// Returns a value of the type, a few levels deep: bounds of all integer types; floats that are rounded or
/// not finite; text that looks like numbers, base64 or names; enum numbers without a name. Any and text also
/// get values and names from the schema of `other`.
Value boundary_value(const ReflectiveCodec& codec, const generator::Type& type, const ReflectiveCodec& other,
                     Random& random);

}  // namespace schemagen_test
