#pragma once

#include "pt2/types.h"

namespace pt2 {

using DecodeElement = double (*)(const char* bytes);

/// null for complex and unknown formats
DecodeElement decoder_of(ScalarType dtype);

}  // namespace pt2
