#pragma once

#include "pt2/text/treespec.h"

namespace pt2 {

/// Checks what torch would import when it reads a treespec: members of enums, `{"__enum__": true, "fqn":
/// "module:Class", "name": ...}`, and factories of defaultdicts, which the text names. Allows a few enums of
/// Python and torch, and Python's containers and numbers. Throws DataError for anything else. Other types
/// must be registered, and the user's code reads their context. Source: enum_object_hook,
/// _defaultdict_deserialize (torch/utils/_pytree.py).
void check_imports(const TreeSpec& spec);

}  // namespace pt2
