// A schema in the languages of other tools, one file each: export_<format>.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "model/model.h"

namespace generator {

/// Thrift IDL, byte for byte as PyTorch's own tool writes it for its schema, with its checksum.
/// What Thrift has no word for: `Any` is a string of JSON, `Tuple[()]` an empty struct `Unit`; defaults
/// are not said, as PyTorch says none. A name that is a word of Thrift's gets a trailing `_`.
/// Source: contracts of the binary format; the layout is that of PyTorch's export_schema.thrift.
std::string export_thrift(const Model& model);

/// PyTorch's schema.yaml, byte for byte, with its checksum, which is the SHA-256 of how Python would
/// print the same data. It has no ids, docs or reservations.
/// Limits: text that is not ASCII counts as printable in that checksum, which Python denies for a few
/// characters, e.g. U+00AD.
/// Of a model of which unsayable_in_torch_yaml() says nothing.
std::string export_torch_yaml(const Model& model);

/// What PyTorch's schema.yaml cannot say of the model: "'A.x' is an int8, which ..."; empty: nothing.
std::string unsayable_in_torch_yaml(const Model& model);

/// Python: dataclasses with the ids of their fields, as PyTorch's schema.py is written, which
/// dev/port_schema.py reads. Docs are comments; reservations are not said. A name that Python has another
/// plan for gets a trailing `_`. What is not PyTorch's schema brings its own base class of unions.
std::string export_python(const Model& model);

/// JSON Schema, Draft 7, of the JSON of each root, or of each struct and union if the schema names no roots;
/// with `root`, an index into `Model::types`, of that type alone, with the types that it reaches. Strict, as
/// our reader is by default, but for what Draft 7 cannot say: it takes 1.0 for an int, and sees no duplicate
/// keys.
std::string export_json_schema(const Model& model, std::optional<std::size_t> root = std::nullopt);

/// The resolved schema as JSON, for programs that make something of it; schema/README.md has the keys.
std::string export_model(const Model& model);

/// The graph of the types in the DOT language of Graphviz; how a type is held decides the line.
std::string export_dot(const Model& model);

/// One page of HTML that needs nothing else: all types with links between them, roots, hashes, who uses what,
/// and a picture of the graph.
std::string export_html(const Model& model);

/// A header of C: the ids of fields and members, and the numbers of enums, as `PT2_Node_target`. Of a model
/// of which unsayable_in_c() says nothing.
std::string export_c(const Model& model);

/// Which names of the model would be one in C; empty: none.
std::string unsayable_in_c(const Model& model);

}  // namespace generator
