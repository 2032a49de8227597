// Names in a program that torch resolves in its own modules, attribute by attribute, when it loads it.
#pragma once

#include <string_view>

namespace pt2 {

/// Whether torch looks `target` up among Python's objects: a name of torch, math, _operator, or of an
/// extension, `#namespace:name`. It takes any other name as the text that it is.
bool is_resolved_by_torch(std::string_view target);

/// Whether `target`, a node's or an operator's that is an argument, names an operator, a higher-order
/// operator, or a function of numbers or of torch's tracing: those of find_operator(), and
/// `torch.ops.namespace.name` with or without an overload of other libraries. Source:
/// GraphModuleDeserializer.deserialize_operator (torch/_export/serde/serialize.py).
bool is_operator_name(std::string_view target);

/// Whether `name`, of `source_fn_stack`, is one of these, or a module or function of those parts of torch
/// that models call. torch keeps what it finds, and calls nothing. Source: deserialize_metadata (same file).
bool is_source_name(std::string_view name);

}  // namespace pt2
