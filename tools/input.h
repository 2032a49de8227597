// FILE arguments.
#pragma once

#include <string>

#include "console.h"
#include "pt2/archive/file.h"
#include "report.h"
#include "schemagen/value/error.h"

namespace pt2::tool {

/// The bytes of the file at `path`, `-` for standard input. Errors: as read_file() and read_all().
FileBytes read_input(const std::string& path);

/// What `read` makes of the text of a file that is read beside a program, and its name. Errors: FileError in
/// place of the DataError of `read`; IoError.
template <class Read>
auto read_beside(const std::string& path, const Read& read) {
  try {
    return read(read_input(path).view(), shown_path(path));
  } catch (const schemagen::DataError& error) {
    throw FileError(error.what());
  }
}

}  // namespace pt2::tool
