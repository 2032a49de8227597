// Recognizes names that torch resolves attribute by attribute, in its own modules, when it loads a program.
#pragma once

#include <string_view>

namespace pt2 {

/// Returns whether torch resolves the name. This is true for names in torch, math or _operator, and for
/// extensions (`#namespace:name`). torch keeps other names as text.
bool is_resolved_by_torch(std::string_view target);

/// Returns whether the name is an operator, a higher-order operator, or a function on numbers or for torch's
/// tracing. These are the operators that find_operator() knows, and `torch.ops.namespace.name[.overload]` of
/// other libraries. Source: GraphModuleDeserializer.deserialize_operator in torch/_export/serde/serialize.py.
bool is_operator_name(std::string_view target);

/// Does the same for `source_fn_stack`, and also accepts modules and functions in the parts of torch that
/// models call. torch does not call them. Source: deserialize_metadata in the same file.
bool is_source_name(std::string_view name);

}  // namespace pt2
