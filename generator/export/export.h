// Exports to other languages. Each export has its own source file, export_<format>.cpp. The functions
// unsayable_in_...() describe what a format cannot express, e.g. "'A.x' is an int8, which ...". Call an
// export only if its function returns an empty string.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "model/model.h"

namespace generator {

/// Returns Thrift IDL, byte for byte as PyTorch's tool writes it for PyTorch's schema. `Any` becomes a string
/// of JSON, and `Tuple[()]` an empty struct `Unit`. Defaults are omitted. Names that are reserved in Thrift
/// get a trailing `_`. PyTorch's file is export_schema.thrift.
std::string export_thrift(const Model& model);

/// Returns PyTorch's schema.yaml, byte for byte, with its checksum: the SHA-256 of the data as Python prints
/// it. It has no ids, docs or reservations. Treats all non-ASCII characters as printable, which is wrong for
/// a few, such as U+00AD.
std::string export_torch_yaml(const Model& model);

std::string unsayable_in_torch_yaml(const Model& model);

/// Returns the SHA-256 of the data in PyTorch's schema.yaml, which PyTorch's generated files contain.
std::string torch_checksum(const Model& model);

struct TorchRelease {
  int major_ = 0;
  int minor_ = 0;
};
inline constexpr TorchRelease kNewestTorch{2, 13};

/// Returns PyTorch's generated_serialization_types.h, byte for byte as this release of torch (2.6 or later)
/// writes it.
std::string export_torch_cpp(const Model& model, TorchRelease release = kNewestTorch);

std::string unsayable_in_torch_cpp(const Model& model);

/// Returns dataclasses with ids, like PyTorch's schema.py; `schemagen import` reads them. Docs become
/// comments; reservations are omitted. Names that are reserved in Python get a trailing `_`. Schemas other
/// than PyTorch's have their own base class for unions.
std::string export_python(const Model& model);

/// Returns a JSON Schema (Draft 7) for each root, or for each struct and union if there are no roots; with
/// `root`, an index into `Model::types`, for the types that it refers to. It accepts 1.0 for an int, and
/// duplicate keys, which our reader rejects.
std::string export_json_schema(const Model& model, std::optional<std::size_t> root = std::nullopt);

/// Returns TypeScript: structs are interfaces, unions are types with exactly one member, and enums are
/// numbers (or names) that may have other values.
std::string export_typescript(const Model& model);

std::string export_model(const Model& model);

/// Returns a graph in the DOT language. The style of a line shows how a type is contained.
std::string export_dot(const Model& model);

/// Returns a self-contained page: types with links, roots, hashes, users of each type, and a picture of the
/// graph.
std::string export_html(const Model& model);

/// Returns a C header with field and member ids and enum numbers, such as `PT2_Node_target`.
std::string export_c(const Model& model);

std::string unsayable_in_c(const Model& model);

}  // namespace generator
