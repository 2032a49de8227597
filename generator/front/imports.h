#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "front/diagnostics.h"
#include "front/source_file.h"
#include "front/yaml.h"

namespace generator {

struct Document {
  YamlNode root;
  std::set<std::size_t> known;  // files whose types it may name: itself and its direct and indirect imports
};

/// Returns each file once, after its own imports, with the schema itself last. Returns nothing, with errors
/// in `diagnostics`, if a file is missing, closes an import cycle or is not YAML. Limits: 256 files with 16
/// MiB in total, and parse_yaml()'s limits for each.
std::vector<Document> read_documents(Diagnostics& diagnostics, const SchemaFiles& files);

}  // namespace generator
