// Files: the one place that needs an operating system; and bytes that are handed on in parts, so that no more
// of them is in memory than one part. Functions may be called from several threads at once, and several may
// read one FileBytes; an AtomicFile, sink or source is for one thread at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "schemagen/value/limits.h"

namespace pt2 {

/// Where bytes go, in order.
using ByteSink = std::function<void(std::string_view)>;

/// Gives all of a content to a sink, the same whenever it is called.
using ByteSource = std::function<void(const ByteSink&)>;

/// The pages of a file that is mapped: whoever has read a part for the last time gives its memory back, so
/// that going through a file takes no more memory than what is looked at together. A copy is as good; valid
/// as long as the FileBytes it is of, or the one that was moved to.
class MappedPages {
 public:
  MappedPages() = default;  // nothing is mapped

  /// Gives the memory of `part` back to the system, which reads the file again when it is needed. Does
  /// nothing for what does not lie in the mapping.
  void release(std::string_view part) const noexcept;

 private:
  friend class FileBytes;
  explicit MappedPages(std::string_view mapping) : mapping_(mapping) {}

  std::string_view mapping_;
};

/// Gives `bytes` to `sink` in parts of 128 KiB, and those of `pages` back to the system some MiB behind it.
void for_each_part(std::string_view bytes, const MappedPages& pages, const ByteSink& sink);

/// The bytes of a whole input, which stay where they are when this object is moved.
class FileBytes {
 public:
  /// Bytes that are in memory already, such as what came from standard input.
  explicit FileBytes(std::string bytes);
  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&& other) noexcept;
  ~FileBytes();

  /// Valid as long as this object, or the one it was moved to, lives.
  std::string_view view() const noexcept;

  /// How many bytes past the end of the view may be read, whatever they hold: a mapping ends with a page.
  std::size_t readable_after() const noexcept;

  /// Nothing, where the bytes are in memory.
  MappedPages pages() const noexcept { return MappedPages(mapping_); }

 private:
  friend FileBytes read_file(const std::string& path, std::size_t max_bytes);
  FileBytes() = default;

  std::unique_ptr<const std::string> owned_;  // null: the bytes are mapped
  std::string_view mapping_;
};

/// The bytes of the file at `path`: mapped read-only where the system can do it, else read into memory.
/// A mapping follows the file: if the file is truncated meanwhile, access ends the process (SIGBUS on POSIX).
/// The path is opened once, so that pipes can be read.
/// Limits: `max_bytes` holds for what is read into memory (pipes, devices, systems without mappings). A
/// mapping takes no memory of its own, and archives with weights may be larger than any sensible limit.
/// Errors: IoError, with the path and the system's reason; DataError over the limit.
FileBytes read_file(const std::string& path, std::size_t max_bytes = schemagen::Limits{}.input_bytes);

/// All that `stream` still has, e.g. `stdin`, read as binary. `name` stands for it in messages.
/// Errors: IoError if reading fails; DataError if there are more than `max_bytes`.
std::string read_all(std::FILE* stream, const std::string& name,
                     std::size_t max_bytes = schemagen::Limits{}.input_bytes);

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
  /// What was written so far, where that can be read. Errors: IoError.
  FileBytes written();

  /// Puts the file in its place. Nothing can be written after that.
  /// Errors: IoError; the old file then stays.
  void commit();

 private:
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
/// The same once `check` has seen all that `content` gives. Errors: also those of `check`; then there is no
/// new file.
void write_file_atomically(const std::string& path, const ByteSource& content, const ByteSink& check);

/// Whether both paths lead to one file, whatever links they go through. False where one leads nowhere.
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace pt2
