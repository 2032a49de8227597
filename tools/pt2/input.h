// FILE arguments.
#pragma once

#include <string>

#include "common/exit.h"
#include "console.h"
#include "pt2/archive/file.h"
#include "pt2/program.h"
#include "schemagen/base/error.h"

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
    throw tools::FileError(error.what());
  }
}

/// A program of `file`, called `name`, to be looked at: what a newer schema added is skipped, with a warning
/// that names it. Errors: those of load_program().
LoadedProgram load_to_read(const std::string& name, const ProgramFile& file, LoadOptions options);

/// Errors: DataError, if a member of a union was skipped: what is left of the union has no meaning, and can
/// neither be `done` ("hashed") nor written.
void require_whole_unions(const LoadedProgram& loaded, const std::string& done);

}  // namespace pt2::tool
