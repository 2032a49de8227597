// The functions unsayable_in_...() describe what a format cannot express, e.g. "'A.x' is an int8, which ...".
// Call an export only if its function returns an empty string.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "model/model.h"

namespace generator {

/// Byte for byte as PyTorch's tool writes it for PyTorch's schema. `Any` becomes a string of JSON, and
/// `Tuple[()]` an empty struct `Unit`. Defaults are omitted. Names that Thrift reserves get a trailing `_`.
std::string export_thrift(const Model& model);

/// PyTorch's schema.yaml, byte for byte. It has no ids, docs or reservations. Treats all non-ASCII characters
/// as printable, which is wrong for a few, such as U+00AD.
std::string export_torch_yaml(const Model& model);

std::string unsayable_in_torch_yaml(const Model& model);

/// SHA-256 of the data in schema.yaml as Python prints it; PyTorch's generated files contain it.
std::string torch_checksum(const Model& model);

struct TorchRelease {
  int major_ = 0;
  int minor_ = 0;
};
inline constexpr TorchRelease kNewestTorch{2, 13};

/// PyTorch's generated_serialization_types.h, byte for byte as this release (2.6 or later) writes it.
std::string export_torch_cpp(const Model& model, TorchRelease release = kNewestTorch);

std::string unsayable_in_torch_cpp(const Model& model);

/// Dataclasses with ids, like PyTorch's schema.py; `schemagen import` reads them. Docs become comments;
/// reservations are omitted. Names that Python reserves get a trailing `_`. Schemas other than PyTorch's get
/// their own base class for unions.
std::string export_python(const Model& model);

/// Draft 7, for `root`, an index into `Model::types`; otherwise for each root, or each struct and union if
/// there are no roots. Accepts 1.0 for an int, and duplicate keys, which our reader rejects.
std::string export_json_schema(const Model& model, std::optional<std::size_t> root = std::nullopt);

/// Structs are interfaces, unions have exactly one member, and enums are open: numbers, or names, of any
/// value.
std::string export_typescript(const Model& model);

std::string export_model(const Model& model);

/// The style of a line shows how a type is contained.
std::string export_dot(const Model& model);

/// One file without links to others, so it works offline.
std::string export_html(const Model& model);

/// Field and member ids and enum numbers, such as `PT2_Node_target`.
std::string export_c(const Model& model);

std::string unsayable_in_c(const Model& model);

}  // namespace generator
