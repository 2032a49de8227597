// The functions unsupported_in_...() describe what a format cannot express, e.g. "'A.x' is of type 'int8',
// which ...". Call an export function only if the format's function returns an empty string.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "model/model.h"

namespace generator {

/// Returns Thrift IDL, which is byte for byte what PyTorch's tool writes for PyTorch's schema. `Any` becomes
/// a string of JSON, and `Tuple[()]` becomes an empty struct `Unit`. Defaults are omitted. Names that Thrift
/// reserves get a trailing `_`.
std::string export_thrift(const Model& model);

/// Returns PyTorch's schema.yaml, byte for byte. It has no ids, docs or reservations. Treats all non-ASCII
/// characters as printable, which is wrong for a few, such as U+00AD.
std::string export_torch_yaml(const Model& model);

std::string unsupported_in_torch_yaml(const Model& model);

/// Returns the SHA-256 hash of the data in schema.yaml as Python prints it. PyTorch's generated files contain
/// this hash.
std::string torch_checksum(const Model& model);

/// Returns the schema's module in torch, e.g. "torch._export", according to schema/torch_modules.txt. Returns
/// an empty string if it is unknown.
std::string torch_module(const Model& model);

/// Returns PyTorch's generated_serialization_types.h, byte for byte as torch 2.13 and 2.14 write it.
std::string export_torch_cpp(const Model& model);

std::string unsupported_in_torch_cpp(const Model& model);

/// Returns Python dataclasses with ids, like PyTorch's schema.py. `schemagen import` can read them. Docs
/// become comments; reservations are omitted. Names that Python reserves get a trailing `_`. Schemas other
/// than PyTorch's get their own base class for unions.
std::string export_python(const Model& model);

/// Returns a JSON Schema (draft 7) for `root`, an index into `Model::types`. Without `root`, it describes all
/// roots, or all structs and unions if there are no roots. The schema accepts 1.0 for an int, and duplicate
/// keys, which our reader rejects.
std::string export_json_schema(const Model& model, std::optional<std::size_t> root = std::nullopt);

/// Returns TypeScript. Structs are interfaces, unions have exactly one member, and enums are open, i.e.
/// numbers (or names) with any value.
std::string export_typescript(const Model& model);

std::string export_model(const Model& model);

/// Returns a graph of the types for Graphviz. The style of a line shows how a type is contained.
std::string export_dot(const Model& model);

/// The page has no links to other files, so it works offline.
std::string export_html(const Model& model);

/// Returns a C header with constants for the ids of fields and members and the numbers of enum members, e.g.
/// `PT2_Node_target`.
std::string export_c(const Model& model);

std::string unsupported_in_c(const Model& model);

/// Returns whether some field has a type of this kind, even inside List, Dict and Optional.
bool uses(const Model& model, Type::Kind kind);

}  // namespace generator
