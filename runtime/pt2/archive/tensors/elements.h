// Elements of tensors as numbers.
#pragma once

#include "pt2/types.h"

namespace pt2 {

/// A little-endian number as a double.
using DecodeElement = double (*)(const char* bytes);

/// Null: it is complex, or of a format that is not known here.
DecodeElement decoder_of(ScalarType dtype);

}  // namespace pt2
