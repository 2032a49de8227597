// Reads schema files.
#pragma once

#include <functional>
#include <string>

namespace generator {

/// Returns the text of the file at `path`, or of stdin for `-`. Throws std::system_error, or
/// schemagen::FileIoError for a folder.
std::string read_schema(const std::string& path);

/// The source of imported files.
struct SchemaFiles {
  std::string prefix;  // prefix of all names, including the schema's own, e.g. `git:main:`
  /// Returns the text of a file. Throws std::runtime_error with a message for users.
  std::function<std::string(const std::string& name)> read;
  /// Returns a name that all names of one file share, for example with symlinks resolved. Optional.
  std::function<std::string(const std::string& name)> identity = {};
};

/// Reads regular files; names are paths.
SchemaFiles files_on_disk();

}  // namespace generator
