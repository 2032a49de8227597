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

/// Options for every kind of file.
struct FileOptions {
  /// Limits for the whole load: opening, decompressing, parsing and upgrading. Limits::for_file() adapts them
  /// to the file's size.
  schemagen::Limits limits;
  /// For members of archives. The checksum of a .pt2b file is always verified.
  Checksums checksums = Checksums::verify;
  /// Called as bytes are read; see FileBytes::watch(). Optional.
  ByteSink watcher = {};
};

/// A file with exported programs: JSON, .pt2b or an archive. It owns the bytes that its parts borrow. Moving
/// it does not move the bytes.
class ProgramFile {
 public:
  /// Detects the format from the contents. Throws the DataErrors of open_archive() and BinaryFile, and
  /// DataError if the bytes are in none of the three formats.
  explicit ProgramFile(FileBytes bytes, const FileOptions& options = {});

  const FileBytes& bytes() const noexcept { return bytes_; }
  /// Returns null if the file is not an archive.
  const Archive* archive() const noexcept { return archive_ ? &*archive_ : nullptr; }
  /// Returns null if the file is not a .pt2b file. If archive() is also null, the bytes are JSON.
  const BinaryFile* binary_file() const noexcept { return binary_file_ ? &*binary_file_ : nullptr; }
  const schemagen::Limits& limits() const noexcept { return limits_; }

 private:
  FileBytes bytes_;
  schemagen::Limits limits_;
  std::optional<Archive> archive_;
  std::optional<BinaryFile> binary_file_;
};

/// Opens the file at `path`, or standard input for `-`. Throws IoError, and the errors of ProgramFile.
ProgramFile open_program_file(const std::string& path, const FileOptions& options = {});

/// Does the same as open_program_file(), but returns exceptions, even for running out of memory, as a
/// failure.
schemagen::Result<ProgramFile> try_open_program_file(const std::string& path,
                                                     const FileOptions& options = {}) noexcept;

}  // namespace pt2
