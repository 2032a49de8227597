#pragma once

#include <string>

#include "common/exit.h"
#include "console.h"
#include "pt2/archive/file.h"
#include "pt2/program.h"
#include "schemagen/base/error.h"

namespace pt2::tool {

/// `-` is standard input. Throws the errors of read_file() and read_all().
FileBytes read_input(const std::string& path);

/// Throws FileError instead of DataError, and IoError.
template <class Read>
auto read_beside(const std::string& path, const Read& read) {
  try {
    return read(read_input(path).view(), shown_path(path));
  } catch (const schemagen::DataError& error) {
    throw tools::FileError(error.what());
  }
}

/// For display: warns about unknown fields of a newer schema. Throws the errors of load_program().
LoadedProgram load_to_read(const std::string& name, const ProgramFile& file, LoadOptions options);

/// Throws DataError if a skipped union member is needed for what is to be `done` ("hashed").
void require_whole_unions(const LoadedProgram& loaded, const std::string& done);

}  // namespace pt2::tool
