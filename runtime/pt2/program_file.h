// Opens files that contain exported programs.
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
  /// Limits for all of loading: opening, decompressing, parsing and upgrading. Limits::for_file() returns
  /// limits adapted to a file's size.
  schemagen::Limits limits;
  /// Whether to verify the checksums of archive members. The checksum of a .pt2b file is always verified.
  Checksums checksums = Checksums::verify;
  /// An optional function that receives the bytes of archive members as they are read; see
  /// FileBytes::watch().
  ByteSink watcher = {};
};

/// A file that contains exported programs: JSON, .pt2b or an archive. A ProgramFile owns the file's bytes,
/// and archive() and binary_file() refer to them. Moving a ProgramFile does not move the bytes.
class ProgramFile {
 public:
  /// Detects the format from the contents. Throws DataError if the bytes are in none of the three formats.
  /// Also throws whatever open_archive() and BinaryFile's constructor throw.
  explicit ProgramFile(FileBytes bytes, const FileOptions& options = {});

  const FileBytes& bytes() const noexcept { return bytes_; }
  /// Returns the open archive, or null if the file is not an archive.
  const Archive* archive() const noexcept { return archive_ ? &*archive_ : nullptr; }
  /// Returns the open .pt2b file, or null if the file is not a .pt2b file. If archive() is also null, the
  /// bytes are JSON.
  const BinaryFile* binary_file() const noexcept { return binary_file_ ? &*binary_file_ : nullptr; }
  const schemagen::Limits& limits() const noexcept { return limits_; }

 private:
  FileBytes bytes_;
  schemagen::Limits limits_;
  std::optional<Archive> archive_;
  std::optional<BinaryFile> binary_file_;
};

/// Opens the file at `path`. Throws IoError if the file cannot be read. Also throws whatever ProgramFile's
/// constructor throws.
ProgramFile open_program_file(const std::string& path, const FileOptions& options = {});

/// Like open_program_file(), but returns a failure instead of throwing, even when out of memory.
schemagen::Result<ProgramFile> try_open_program_file(const std::string& path,
                                                     const FileOptions& options = {}) noexcept;

}  // namespace pt2
