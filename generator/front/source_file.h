#pragma once

#include <functional>
#include <string>

namespace generator {

/// `-` is stdin. Throws std::system_error, or schemagen::FileIoError for a folder.
std::string read_schema(const std::string& path);

struct SchemaFiles {
  std::string prefix;  // of all names, including the schema's own: `git:main:`
  /// Throws std::runtime_error with a message for users.
  std::function<std::string(const std::string& name)> read;
  std::function<std::string(const std::string& name)> identity = {};
};

/// Names are paths; only regular files.
SchemaFiles files_on_disk();

}  // namespace generator
