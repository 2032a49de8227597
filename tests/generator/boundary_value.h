// Random values at the boundaries of their types.
#pragma once

#include "model/model.h"
#include "random_schema.h"
#include "reflective_codec.h"

namespace schemagen_test {

/// A value of the type, a few levels deep: bounds of all integer types, floats that are rounded or not
/// finite, texts that are numbers, base64 or names, numbers of an enum that have no name. `other` is the
/// codec of another schema, whose values and names are in Any and in texts.
Value boundary_value(const ReflectiveCodec& codec, const generator::Type& type, const ReflectiveCodec& other,
                     Random& random);

}  // namespace schemagen_test
