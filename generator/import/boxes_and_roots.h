// PyTorch's files do not say which members are on the heap, nor which types a file can contain as a whole.
#pragma once

#include <string>
#include <vector>

#include "import/imported_schema.h"

namespace generator {

/// Boxes the members in `requested`, each `TYPE.FIELD`, and then enough others for finite types: first
/// recursive members that the source file quotes, then, in declaration order, each that still closes a cycle.
/// Returns what is wrong with a request.
std::string choose_boxes(ImportedSchema& schema, const std::vector<std::string>& requested);

/// Makes roots of the structs that no other type refers to, and of the types in `requested`. Returns what is
/// wrong with a request.
std::string choose_roots(ImportedSchema& schema, const std::vector<std::string>& requested);

}  // namespace generator
