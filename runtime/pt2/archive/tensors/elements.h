#pragma once

#include "pt2/types.h"

namespace pt2 {

using DecodeElement = double (*)(const char* bytes);

/// Returns the decoder of a dtype; null for complex and unknown dtypes.
DecodeElement decoder_of(ScalarType dtype);

}  // namespace pt2
