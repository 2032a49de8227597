// Files that hold exported programs.
#pragma once

#include <optional>
#include <string>

#include "pt2/archive/archive.h"
#include "pt2/archive/file.h"
#include "pt2/binary/binary_file.h"
#include "schemagen/base/limits.h"
#include "schemagen/base/result.h"

namespace pt2 {

/// How a file is read, whatever it holds.
struct FileOptions {
  /// Hold for the whole way from the file's bytes to a program: opening, decompressing, parsing, upgrading.
  /// Those of Limits::for_file() are taken.
  schemagen::Limits limits;
  /// Of members of archives. Of .pt2b files, the checksum is always verified.
  Checksums checksums = Checksums::verify;
  /// Who is told as the file's bytes are gone through, see FileBytes::watch(); empty: nobody.
  ByteSink watcher = {};
};

/// A file that holds exported programs: the JSON of one, one in binary, or an archive. It owns the bytes that
/// the parts borrow; it can be moved, and moving it leaves them where they are.
class ProgramFile {
 public:
  /// Tells by content what the bytes are.
  /// Errors: DataError of open_archive() or BinaryFile, or if the bytes are none of the three.
  explicit ProgramFile(FileBytes bytes, const FileOptions& options = {});

  const FileBytes& bytes() const noexcept { return bytes_; }
  /// The archive; null if the file is not one.
  const Archive* archive() const noexcept { return archive_ ? &*archive_ : nullptr; }
  /// The envelope of a .pt2b file; null if the file is not one. Without both, the bytes are JSON.
  const BinaryFile* envelope() const noexcept { return envelope_ ? &*envelope_ : nullptr; }
  const schemagen::Limits& limits() const noexcept { return limits_; }

 private:
  FileBytes bytes_;
  schemagen::Limits limits_;
  std::optional<Archive> archive_;
  std::optional<BinaryFile> envelope_;
};

/// The file at `path`, `-` for standard input. Errors: IoError; those of ProgramFile.
ProgramFile open_program_file(const std::string& path, const FileOptions& options = {});

/// Like open_program_file(), but returns exceptions, including running out of memory, as a failure.
schemagen::Result<ProgramFile> try_open_program_file(const std::string& path,
                                                     const FileOptions& options = {}) noexcept;

}  // namespace pt2
