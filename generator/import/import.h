// The steps of `schemagen import`, in order.
#pragma once

#include "import/imported_schema.h"

namespace generator {

/// Reads PyTorch's schema.py, or a similar file, without running it. Returns nullopt after errors. Ignores
/// classes that are not part of a schema. If `with_comments` is true, comments become docs.
std::optional<ImportedSchema> read_schema_py(Diagnostics& diagnostics, bool with_comments);

/// Reads PyTorch's schema.yaml, which has no ids and spells defaults as in Python.
std::optional<ImportedSchema> read_schema_yaml(Diagnostics& diagnostics);

/// Uses the id from the first schema in `older` that has the field. If `assigns` is true, all other fields
/// get multiples of ten above the largest id of their type; otherwise, they are reported.
void number_fields(ImportedSchema& schema, const std::vector<Model>& older, bool assigns,
                   Diagnostics& diagnostics);

/// Copies docs, `since`, `deprecated`, `json`, `cpp_name`, `states_version` and `boxed` by name. The first of
/// several older schemas takes precedence, even over docs from comments.
void take_docs(ImportedSchema& schema, const std::vector<Model>& older);

/// Adds the reservations of `older`, and reserves the ids and names that were removed since. Skips types
/// whose kind has changed.
void reserve(ImportedSchema& schema, const Model& older);

// PyTorch's files do not state which members are on the heap, or which types a file can contain as a whole.

/// Boxes the members in `requested`, which have the form `TYPE.FIELD`, and then others until all types are
/// finite: first recursive members that the source file quotes and then, in declaration order, each member
/// that still closes a cycle. Returns the error in a request, if any.
std::string choose_boxes(ImportedSchema& schema, const std::vector<std::string>& requested);

/// Makes roots of the structs that no other type refers to, and of the types in `requested`. Returns the
/// error in a request, if any.
std::string choose_roots(ImportedSchema& schema, const std::vector<std::string>& requested);

/// Returns the schema in the layout of `schemagen fmt`, or nullopt after errors, which are reported at their
/// places in `source`.
std::optional<std::string> write_schema(const ImportedSchema& schema, const std::string& name,
                                        Diagnostics& source);

}  // namespace generator
