// FILE arguments.
#pragma once

#include <string>

#include "common/exit.h"
#include "console.h"
#include "pt2/archive/file.h"
#include "pt2/program.h"
#include "schemagen/base/error.h"

namespace pt2::tool {

/// Returns the bytes of the file at `path`, or of standard input for `-`. Throws what read_file() and
/// read_all() throw.
FileBytes read_input(const std::string& path);

/// Returns the result of `read` for the text and name of an additional file. Throws FileError instead of the
/// DataError of `read`; IoError.
template <class Read>
auto read_beside(const std::string& path, const Read& read) {
  try {
    return read(read_input(path).view(), shown_path(path));
  } catch (const schemagen::DataError& error) {
    throw tools::FileError(error.what());
  }
}

/// Loads a program of `file`, called `name`, for display: skips unknown fields of a newer schema with a
/// warning. Throws what load_program() throws.
LoadedProgram load_to_read(const std::string& name, const ProgramFile& file, LoadOptions options);

/// Throws DataError if a union member was skipped: the rest of the union has no meaning, and cannot be `done`
/// ("hashed") or written.
void require_whole_unions(const LoadedProgram& loaded, const std::string& done);

}  // namespace pt2::tool
