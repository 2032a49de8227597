#pragma once

#include <functional>
#include <string>

namespace generator {

/// `-` means stdin. Throws std::system_error if the file cannot be read, and schemagen::FileIoError for a
/// folder.
std::string read_schema(const std::string& path);

struct SchemaFiles {
  std::string prefix;  // the prefix of all names, including the schema's own, e.g. `git:main:`
  /// Throws std::runtime_error with a message for users.
  std::function<std::string(const std::string& name)> read;
  std::function<std::string(const std::string& name)> identity = {};
};

/// Accepts only regular files.
SchemaFiles files_on_disk();

}  // namespace generator
