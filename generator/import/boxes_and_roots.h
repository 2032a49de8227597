// PyTorch's files do not state which members are on the heap, or which types a file can contain as a whole.
#pragma once

#include <string>
#include <vector>

#include "import/imported_schema.h"

namespace generator {

/// Boxes the members in `requested`, which have the form `TYPE.FIELD`, and as many others as finite types
/// require: first recursive members that the source file quotes and then, in declaration order, each member
/// that still closes a cycle. Returns the error in a request, if any.
std::string choose_boxes(ImportedSchema& schema, const std::vector<std::string>& requested);

/// Makes roots of the structs that no other type refers to, and of the types in `requested`. Returns the
/// error in a request, if any.
std::string choose_roots(ImportedSchema& schema, const std::vector<std::string>& requested);

}  // namespace generator
