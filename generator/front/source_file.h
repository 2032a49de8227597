#pragma once

#include <functional>
#include <string>

namespace generator {

/// Returns the content of a file; `-` is stdin. Throws std::system_error, or schemagen::FileIoError for a
/// folder.
std::string read_schema(const std::string& path);

struct SchemaFiles {
  std::string prefix;  // of all names, including the schema's own: `git:main:`
  /// Throws std::runtime_error with a message for users.
  std::function<std::string(const std::string& name)> read;
  std::function<std::string(const std::string& name)> identity = {};
};

/// Reads files by path; accepts only regular files.
SchemaFiles files_on_disk();

}  // namespace generator
