// Converts elements of tensors to numbers.
#pragma once

#include "pt2/types.h"

namespace pt2 {

/// Decodes a little-endian number.
using DecodeElement = double (*)(const char* bytes);

/// Returns null for complex and unknown formats.
DecodeElement decoder_of(ScalarType dtype);

}  // namespace pt2
