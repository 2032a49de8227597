// Checks what torch would import to read a treespec.
#pragma once

#include "pt2/text/treespec.h"

namespace pt2 {

/// Checks the contexts of a treespec. torch imports members of enums, `{"__enum__": true, "fqn":
/// "module:Class", "name": ...}`, and factories of defaultdicts by the names in the text. Allowed are a few
/// enums of Python and torch, and Python's types of containers and numbers. Other types are looked up among
/// registered ones; how a registered type reads its context is the user's code. Throws DataError for anything
/// else. Source: enum_object_hook, _defaultdict_deserialize (torch/utils/_pytree.py).
void check_imports(const TreeSpec& spec);

}  // namespace pt2
