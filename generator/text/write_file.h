// Puts a text into a file so that nobody ever sees half of it.
#pragma once

#include <string>

namespace generator {

/// Makes `text` the content of the file at `path`: it is written under a new name in the same folder, which
/// then takes the place of `path`. A file that is replaced keeps its permissions. Of a symbolic link, the
/// file that it leads to is replaced or made. What is no regular file (a pipe, a device) is written to
/// directly. Errors: std::system_error, e.g. if the folder is not there or the old file may not be written.
/// The old file then stays, and nothing else is left behind.
void write_file(const std::string& path, const std::string& text);

}  // namespace generator
