#pragma once

#include "common/exit.h"
#include "console.h"
#include "pt2/archive/file.h"
#include "pt2/program.h"
#include "schemagen/base/error.h"

namespace pt2::tool {

/// Reads a file, or standard input if `path` is `-`. Throws whatever read_file() and read_all() throw.
FileBytes read_input(const std::string& path);

/// Opens a file, or reads standard input if `path` is `-`. Throws whatever read_input() and ProgramFile's
/// constructor throw.
ProgramFile open_input(const std::string& path);

/// Returns the text in `bytes`, without a byte order mark. Throws DataError if its encoding is not UTF-8.
std::string_view text_of(std::string_view bytes, const std::string& name);

/// Reads a text file. Throws FileError instead of DataError, and IoError.
template <class Read>
auto read_beside(const std::string& path, const Read& read) {
  try {
    const FileBytes bytes = read_input(path);
    return read(text_of(bytes.view(), shown_path(path)), shown_path(path));
  } catch (const schemagen::DataError& error) {
    throw tools::FileError(error.what());
  }
}

/// Does the same as the function in the library, and writes its notices as diagnostics.
LoadedProgram load_to_read(const std::string& name, const ProgramFile& file, const LoadOptions& options);

/// Throws DataError if a union member was skipped, because the program then cannot be `done` (e.g. "hashed").
void require_whole_unions(const LoadedProgram& loaded, const std::string& done);

}  // namespace pt2::tool
