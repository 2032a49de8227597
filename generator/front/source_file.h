#pragma once

#include <functional>
#include <string>

namespace generator {

/// `-` is stdin. Throws std::system_error, or schemagen::FileIoError for a folder.
std::string read_schema(const std::string& path);

/// The source of imported files.
struct SchemaFiles {
  std::string prefix;  // of all names, including the schema's own: `git:main:`
  /// Throws std::runtime_error with a message for users.
  std::function<std::string(const std::string& name)> read;
  /// The same for all names of one file, for example with symlinks resolved. Optional.
  std::function<std::string(const std::string& name)> identity = {};
};

/// Names are paths; only regular files.
SchemaFiles files_on_disk();

}  // namespace generator
