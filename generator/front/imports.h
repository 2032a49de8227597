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
  std::set<std::size_t> known;  // files whose types it can name: itself, and all files that it imports
};

/// Returns each file once, after the files that it imports; the schema itself is last. If a file is missing,
/// closes an import cycle or is not YAML, adds errors to `diagnostics` and returns an empty list. Limits: 256
/// files with 16 MiB in total, and parse_yaml()'s limits for each file.
std::vector<Document> read_documents(Diagnostics& diagnostics, const SchemaFiles& files);

}  // namespace generator
