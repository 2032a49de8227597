// A schema's files: its own, and those that it imports.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "front/diagnostics.h"
#include "front/source_file.h"
#include "front/yaml.h"

namespace generator {

/// One file of a schema.
struct Document {
  YamlNode root;
  std::set<std::size_t> known;  // the files (Span::file) whose types it may name: its own, and those that it
                                // imports, also through others
};

/// The schema in `diagnostics.text()` and all that it imports, each file once and after those that it
/// imports, so that the schema itself is last. Places in them say which file they are in. Errors are added to
/// `diagnostics`; empty if a file is missing, closes a cycle or is no YAML. Limits: those of parse_yaml() for
/// each file; 256 files, which together have 16 MiB.
std::vector<Document> read_documents(Diagnostics& diagnostics, const SchemaFiles& files);

}  // namespace generator
