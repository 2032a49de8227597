// Files that are written whole or not at all. An AtomicFile, sink or source is for one thread at a time.
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

/// The operating system refused something about a file.
class FileIoError : public IoError {
 public:
  /// `action`: `cannot open`. The message is `cannot open 'PATH': No such file or directory`.
  FileIoError(const std::string& action, const std::string& path, int error_number)
      : IoError(action + " '" + path + "': " + std::generic_category().message(error_number)),
        path_(path),
        error_number_(error_number) {}

  const std::string& path() const noexcept { return path_; }
  /// As `errno` has it.
  int error_number() const noexcept { return error_number_; }

 private:
  std::string path_;
  int error_number_;
};

/// What is best written at once, and looked at before that: it stays in a processor's cache on the way. Of
/// larger writes Linux makes larger pieces of its cache of files, which has taken up to six times as long.
constexpr std::size_t kFilePartSize = std::size_t{128} << 10;

/// Where bytes go, in order.
using ByteSink = std::function<void(std::string_view)>;

/// Gives all of a content to a sink, the same whenever it is called.
using ByteSource = std::function<void(const ByteSink&)>;

/// A file that appears whole or not at all: written under a temporary name in the same folder, then renamed.
///
/// Until `commit()`, and if it is never called or fails, a file that was at `path` stays as it was. An
/// existing file's permission bits are kept, a new one gets what the process's umask leaves of rw-rw-rw-. A
/// symbolic link stays, and the file that it names is replaced or created. Anything but a regular file (a
/// pipe, a device) is written to directly.
class AtomicFile {
 public:
  /// Errors: IoError if `path` is a folder or a file that may not be written, or its folder takes no new
  /// file.
  explicit AtomicFile(const std::string& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  /// Errors: IoError, e.g. when the disk is full.
  void write(std::string_view bytes);

  /// Whether what is written can be read before it is in its place: not that of a pipe or device.
  bool can_be_read() const noexcept { return !temporary_.empty(); }
  /// The file that has what was written so far, where that can be read. Errors: IoError.
  const std::string& written_path();

  /// Puts the file in its place. Nothing can be written after that.
  /// Errors: IoError; the old file then stays.
  void commit();

 private:
  AtomicFile() = default;  // from here on, the destructor takes back what a constructor has done
  void open_temporary();

  std::string path_;                          // as given, for messages
  std::string target_;                        // with symbolic links followed
  std::string temporary_;                     // empty: there is no such file (any more)
  std::atomic<char*>* unfinished_ = nullptr;  // where a handler of signals finds its name
  std::FILE* stream_ = nullptr;
};

/// Removes the temporary files of all AtomicFiles of this process, which must end then: for handlers of
/// signals that end it. Of more than 16 that are open at once, it knows 16.
void remove_unfinished_files() noexcept;

/// Writes `bytes` to the file at `path` as AtomicFile does.
void write_file_atomically(const std::string& path, std::string_view bytes);
/// The same with what `content` gives, in parts. Errors: also those of `content`; then there is no new file.
void write_file_atomically(const std::string& path, const ByteSource& content);

}  // namespace schemagen
