#pragma once

#include "front/diagnostics.h"

namespace generator {

/// Reports an error if the file is a schema in another language (PyTorch's schema.yaml or schema.py, Protocol
/// Buffers, FlatBuffers, Thrift, Avro, Cap'n Proto or JSON Schema), and returns whether it is one.
bool is_other_language(Diagnostics& diagnostics);

}  // namespace generator
