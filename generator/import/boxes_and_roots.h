// PyTorch's files do not say which members are on the heap, nor which types a file can hold as a whole.
#pragma once

#include <string>
#include <vector>

#include "import/imported_schema.h"

namespace generator {

/// Boxes the members in `requested`, each `TYPE.FIELD`, and those that must be on the heap for finite types:
/// first recursive members that the source quotes, then, in declaration order, each that still closes a
/// cycle. Returns the fault of a request, or an empty string.
std::string choose_boxes(ImportedSchema& schema, const std::vector<std::string>& requested);

/// The roots become the structs that no other type refers to, and the types in `requested`. Returns the fault
/// of a request, or an empty string.
std::string choose_roots(ImportedSchema& schema, const std::vector<std::string>& requested);

}  // namespace generator
