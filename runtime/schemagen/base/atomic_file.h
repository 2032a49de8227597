// Writes files either completely or not at all. An AtomicFile is not thread-safe.
#pragma once

#include <atomic>
#include <cstdio>
#include <functional>
#include <string_view>

#include "schemagen/base/error.h"

namespace schemagen {

/// The best size for a single write. For larger writes, Linux allocates larger blocks in its page cache, and
/// the writes can take six times as long. If data is examined before it is written, examine it in parts of
/// this size, because they fit in the processor's cache.
constexpr std::size_t kFilePartSize = std::size_t{128} << 10;

/// A function that consumes bytes in order.
using ByteSink = std::function<void(std::string_view)>;

/// A function that passes some content to a sink. Each call passes the same content.
using ByteSource = std::function<void(const ByteSink&)>;

/// A file that appears completely or not at all. It is written under a temporary name in the same folder, and
/// then renamed.
///
/// An existing file at `path` does not change until `commit()` succeeds. The new file gets the permission
/// bits of the existing file or, if there is none, rw-rw-rw- minus the umask. If `path` is a symbolic link,
/// the link's target is replaced or created. Anything other than a regular file (e.g. a pipe or a device) is
/// written directly.
class AtomicFile {
 public:
  /// Opens a file for writing. Throws IoError if `path` is a folder or a read-only file, or if the file's
  /// folder is not writable.
  explicit AtomicFile(const std::string& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  /// Appends `bytes` to the file. Throws IoError if writing fails, for example because the disk is full.
  void write(std::string_view bytes);

  /// Returns whether the written data can be read before commit(). Returns false for pipes and devices.
  bool can_be_read() const noexcept { return !temporary_.empty(); }
  /// Returns the path of a file that contains the data written so far. Call this function only if
  /// can_be_read() returns true. Throws IoError if writing fails.
  const std::string& written_path();

  /// Renames the file to its final path. Nothing can be written afterwards. Throws IoError if the file cannot
  /// be renamed; in that case, the existing file does not change.
  void commit();

 private:
  AtomicFile() = default;  // lets the destructor run if a delegating constructor throws
  void open_temporary();

  std::string path_;
  std::string target_;                        // the path, after following symbolic links
  std::string temporary_;                     // empty if there is no temporary file, or if it was renamed
  std::atomic<char*>* unfinished_ = nullptr;  // where a signal handler finds the temporary file's name
  std::FILE* stream_ = nullptr;
};

/// Removes the temporary files of all AtomicFiles. This function is for signal handlers that terminate the
/// process. It covers at most 16 open files.
void remove_unfinished_files() noexcept;

/// Writes `bytes` to the file at `path`, as AtomicFile does. Throws IoError if the file cannot be written.
void write_file_atomically(const std::string& path, std::string_view bytes);
/// Writes the output of `content` in the same way. Also throws whatever `content` throws; in that case, no
/// file appears.
void write_file_atomically(const std::string& path, const ByteSource& content);

}  // namespace schemagen
