// Files that are either written completely or not at all. An AtomicFile is not thread-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>

#include "schemagen/base/error.h"

namespace schemagen {

/// Thrown when the operating system fails to perform an operation on a file.
class FileIoError : public IoError {
 public:
  /// With the action `cannot open`, for example, the message is `cannot open 'PATH': No such file or
  /// directory`.
  FileIoError(const std::string& action, const std::string& path, int error_number)
      : IoError(action + " '" + path + "': " + std::generic_category().message(error_number)),
        path_(path),
        error_number_(error_number) {}

  const std::string& path() const noexcept { return path_; }
  /// Returns the value of `errno`.
  int error_number() const noexcept { return error_number_; }

 private:
  std::string path_;
  int error_number_;
};

/// The best size for a single write, and for a piece of data to examine before it is written: it fits in the
/// processor's cache. For larger writes, Linux allocates larger pages in its file cache, which can take six
/// times as long.
constexpr std::size_t kFilePartSize = std::size_t{128} << 10;

/// A function that consumes bytes in order.
using ByteSink = std::function<void(std::string_view)>;

/// A function that passes all of its content to a sink. Each call passes the same content.
using ByteSource = std::function<void(const ByteSink&)>;

/// A file that appears completely or not at all. It is written under a temporary name in the same folder, and
/// then renamed.
///
/// An existing file at `path` is unchanged until `commit()` succeeds. The new file keeps its permission bits;
/// if there is no existing file, they are rw-rw-rw- minus the umask. If `path` is a symbolic link, its target
/// is replaced or created. Anything other than a regular file (a pipe, a device) is written directly.
class AtomicFile {
 public:
  /// Throws IoError if `path` is a folder or a read-only file, or if its folder is not writable.
  explicit AtomicFile(const std::string& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  /// Throws IoError if writing fails, for example because the disk is full.
  void write(std::string_view bytes);

  /// Returns whether the written data can be read before commit(). False for pipes and devices.
  bool can_be_read() const noexcept { return !temporary_.empty(); }
  /// Returns the path of a file that contains the data written so far. Requires can_be_read(). Throws
  /// IoError.
  const std::string& written_path();

  /// Renames the file to its final path. Nothing can be written afterwards. Throws IoError if this fails; in
  /// that case, the old file stays in place.
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

/// Removes the temporary files of all AtomicFiles. For signal handlers that end the process. Covers at most
/// 16 open files.
void remove_unfinished_files() noexcept;

/// Writes `bytes` to the file at `path`, as AtomicFile does. Throws IoError.
void write_file_atomically(const std::string& path, std::string_view bytes);
/// Writes the output of `content` in the same way. Also throws whatever `content` throws; in that case,
/// leaves no new file.
void write_file_atomically(const std::string& path, const ByteSource& content);

}  // namespace schemagen
