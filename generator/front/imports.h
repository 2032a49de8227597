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
  std::set<std::size_t> known;  // the files whose types it can name: itself and all that it imports
};

/// Each file once, after the files that it imports. If a file is missing, closes an import cycle or is not
/// YAML, reports errors and returns an empty list. Limits: 256 files with 16 MiB in total, and parse_yaml()'s
/// limits for each file.
std::vector<Document> read_documents(Diagnostics& diagnostics, const SchemaFiles& files);

}  // namespace generator
