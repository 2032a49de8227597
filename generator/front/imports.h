#pragma once

#include <functional>
#include <set>

#include "front/yaml.h"

namespace generator {

// In source_file.cpp.

/// `-` means stdin. Throws std::system_error if the file cannot be read, and schemagen::FileIoError for a
/// folder.
std::string read_schema(const std::string& path);

struct SchemaFiles {
  std::string prefix;  // the prefix of all names, including the schema's own, e.g. `git:main:`
  /// Throws std::runtime_error with a message for users.
  std::function<std::string(const std::string& name)> read;
  std::function<std::string(const std::string& name)> identity = [](const std::string& name) { return name; };
};

/// Accepts only regular files.
SchemaFiles files_on_disk();

// In other_language.cpp.

/// Reports an error if the file is a schema in another language (PyTorch's schema.yaml or schema.py, Protocol
/// Buffers, FlatBuffers, Thrift, Avro, Cap'n Proto or JSON Schema), and returns whether it is one.
bool is_other_language(Diagnostics& diagnostics);

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
