// Exports to other schema languages, one file each: export_<format>.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "model/model.h"

namespace generator {

/// Returns Thrift IDL, byte for byte like PyTorch's own tool for its schema, with its checksum. `Any` becomes
/// a string of JSON, and `Tuple[()]` an empty struct `Unit`. Omits defaults, like PyTorch. Names that are
/// reserved in Thrift get a trailing `_`. Source: the contracts of the binary format; the layout of PyTorch's
/// export_schema.thrift.
std::string export_thrift(const Model& model);

/// Returns PyTorch's schema.yaml, byte for byte, with its checksum: the SHA-256 of the data as Python prints
/// it. Has no ids, docs or reservations. Requires that unsayable_in_torch_yaml() is empty. The checksum
/// treats all characters beyond ASCII as printable, which is wrong for a few, such as U+00AD.
std::string export_torch_yaml(const Model& model);

/// Returns what PyTorch's schema.yaml cannot express, "'A.x' is an int8, which ...", or an empty string.
std::string unsayable_in_torch_yaml(const Model& model);

/// Returns the checksum in PyTorch's generated files: the SHA-256 of the data in its schema.yaml.
std::string torch_checksum(const Model& model);

/// A release of torch, such as 2.13.
struct TorchRelease {
  int major_ = 0;
  int minor_ = 0;
};
inline constexpr TorchRelease kNewestTorch{2, 13};

/// Returns PyTorch's generated_serialization_types.h, byte for byte as the tool of this release of torch (2.6
/// or later) writes it for the schema. Requires that unsayable_in_torch_yaml() and unsayable_in_torch_cpp()
/// are empty.
std::string export_torch_cpp(const Model& model, TorchRelease release = kNewestTorch);

/// Returns what PyTorch's C++ types cannot express, or an empty string.
std::string unsayable_in_torch_cpp(const Model& model);

/// Returns Python dataclasses with the ids of their fields, like PyTorch's schema.py; `schemagen import`
/// reads them. Docs become comments; reservations are omitted. Names that are reserved in Python get a
/// trailing `_`. A schema other than PyTorch's brings its own base class for unions.
std::string export_python(const Model& model);

/// Returns a JSON Schema, Draft 7, of each root, or of each struct and union if there are no roots; with
/// `root`, an index into `Model::types`, of that type and the types it reaches. As strict as our reader by
/// default, except where Draft 7 cannot be: it accepts 1.0 for an int, and does not see duplicate keys.
std::string export_json_schema(const Model& model, std::optional<std::size_t> root = std::nullopt);

/// Returns TypeScript that declares the JSON of all types: structs as interfaces, unions as types with
/// exactly one member, enums as numbers (or names) that may have other values. Docs become comments.
std::string export_typescript(const Model& model);

/// Returns the resolved schema as JSON for other programs; schema/README.md documents the keys.
std::string export_model(const Model& model);

/// Returns the graph of the types in the DOT language. The line shows how a type is contained.
std::string export_dot(const Model& model);

/// Returns a self-contained HTML page: all types with links, roots, hashes, users of each type, and a picture
/// of the graph.
std::string export_html(const Model& model);

/// Returns a C header with the ids of fields and members and the numbers of enums, such as `PT2_Node_target`.
/// Requires that unsayable_in_c() is empty.
std::string export_c(const Model& model);

/// Returns which names would collide in C, or an empty string.
std::string unsayable_in_c(const Model& model);

}  // namespace generator
