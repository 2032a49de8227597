// A schema's own file and its imports.
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
  std::set<std::size_t> known;  // the files (Span::file) whose types it may name: itself and its direct and
                                // indirect imports
};

/// Reads the schema in `diagnostics.text()` and all its imports: each file once, after its own imports, the
/// schema itself last. Adds errors to `diagnostics`, and returns nothing if a file is missing, closes a cycle
/// or is not YAML. Limits: 256 files with 16 MiB in total, and those of parse_yaml() for each.
std::vector<Document> read_documents(Diagnostics& diagnostics, const SchemaFiles& files);

}  // namespace generator
