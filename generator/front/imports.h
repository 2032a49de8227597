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
  /// the files whose types this file can name: itself and all files that it imports
  std::set<std::size_t> known;
};

/// Returns each file once, after the files that it imports. If a file is missing, closes an import cycle or
/// is not YAML, reports errors and returns an empty list. The limits are 256 files with 16 MiB in total, and
/// the limits of parse_yaml() for each file.
std::vector<Document> read_documents(Diagnostics& diagnostics, const SchemaFiles& files);

}  // namespace generator
