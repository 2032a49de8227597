// Where schemas are read from.
#pragma once

#include <functional>
#include <string>

namespace generator {

/// The text of the file at `path`; `-` is stdin. Errors: std::system_error; schemagen::FileIoError, of a
/// folder.
std::string read_schema(const std::string& path);

/// Where the files that a schema imports are read from.
struct SchemaFiles {
  std::string prefix;  // what names begin with before the path, the schema's own too, e.g. `git:main:`
  /// The text of a file. Errors: std::runtime_error, whose what() is for people.
  std::function<std::string(const std::string& name)> read;
};

/// Names are paths, of regular files.
SchemaFiles files_on_disk();

}  // namespace generator
