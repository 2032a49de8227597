#pragma once

#include <functional>
#include <string>

namespace generator {

/// Returns the contents of a file, or of stdin if `path` is `-`. Throws std::system_error if the file cannot
/// be read, and schemagen::FileIoError if `path` is a folder.
std::string read_schema(const std::string& path);

struct SchemaFiles {
  std::string prefix;  // all names begin with it, including the schema's own; e.g. `git:main:`
  /// Returns the contents of a file. Throws std::runtime_error with a message for users.
  std::function<std::string(const std::string& name)> read;
  std::function<std::string(const std::string& name)> identity = {};
};

/// Returns an object that reads files by path and accepts only regular files.
SchemaFiles files_on_disk();

}  // namespace generator
