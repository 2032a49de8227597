// Names that torch resolves in its own modules, attribute by attribute, when it loads a program.
#pragma once

#include <string_view>

namespace pt2 {

/// Whether torch looks `target` up among Python objects: names in torch, math or _operator, and extensions
/// (`#namespace:name`). torch keeps other names as text.
bool is_resolved_by_torch(std::string_view target);

/// Whether `target`, of a node or an operator argument, names an operator, a higher-order operator, or a
/// function of numbers or of torch's tracing: those of find_operator(), and
/// `torch.ops.namespace.name[.overload]` of other libraries. Source:
/// GraphModuleDeserializer.deserialize_operator in torch/_export/serde/serialize.py.
bool is_operator_name(std::string_view target);

/// Whether `name`, from `source_fn_stack`, is one of these, or a module or function of the parts of torch
/// that models call. torch stores the object without calling it. Source: deserialize_metadata in the same
/// file.
bool is_source_name(std::string_view name);

}  // namespace pt2
