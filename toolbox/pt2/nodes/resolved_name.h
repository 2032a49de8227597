// Names that torch resolves attribute by attribute, in its own modules, when it loads a program.
#pragma once

#include <string_view>

namespace pt2 {

/// Names in torch, math or _operator, and extensions (`#namespace:name`). torch keeps other names as text.
bool is_resolved_by_torch(std::string_view target);

/// An operator, a higher-order operator, or a function of numbers or of torch's tracing: those of
/// find_operator(), and `torch.ops.namespace.name[.overload]` of other libraries. Source:
/// GraphModuleDeserializer.deserialize_operator in torch/_export/serde/serialize.py.
bool is_operator_name(std::string_view target);

/// For `source_fn_stack`: also modules and functions of the parts of torch that models call. torch does not
/// call them. Source: deserialize_metadata in the same file.
bool is_source_name(std::string_view name);

}  // namespace pt2
