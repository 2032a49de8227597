// What torch imports to read a treespec.
#pragma once

#include "pt2/text/treespec.h"

namespace pt2 {

/// Checks the contexts of a treespec: a member of an enum, `{"__enum__": true, "fqn": "module:Class", "name":
/// ...}`, and the factory of a defaultdict are imported by the names in the text. Known are a few enums of
/// Python and torch, and the types of Python's containers and numbers. Types are looked up among those that
/// were registered; what a registered type makes of its own context is the user's code. Errors: DataError.
/// Source: enum_object_hook, _defaultdict_deserialize (torch/utils/_pytree.py).
void check_imports(const TreeSpec& spec);

}  // namespace pt2
