// Files, memory-mapped if possible, and streams of bytes in parts that bound the memory in use.
#pragma once

#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "schemagen/base/atomic_file.h"
#include "schemagen/base/limits.h"

namespace pt2 {

using schemagen::AtomicFile;
using schemagen::ByteSink;
using schemagen::ByteSource;
using schemagen::remove_unfinished_files;
using schemagen::write_file_atomically;

/// The pages of a mapped file, and its watcher. Releasing parts after their last use keeps memory bounded
/// while a file is processed. Copyable; valid as long as its FileBytes, or the one that was moved to.
class MappedPages {
 public:
  MappedPages() = default;  // neither a mapping nor a watcher
  /// For bytes in memory. `watcher` must outlive this and its copies, see FileBytes::watch().
  explicit MappedPages(const ByteSink* watcher) : watcher_(watcher) {}

  /// Returns the memory of `part` to the system, which reads the file again when it is needed. Ignores parts
  /// outside of the mapping.
  void release(std::string_view part) const noexcept;

  /// Passes `part` to the watcher. Errors: those of the watcher.
  void tell(std::string_view part) const {
    if (watcher_ != nullptr) (*watcher_)(part);
  }

 private:
  friend class FileBytes;
  MappedPages(std::string_view mapping, const ByteSink* watcher) : mapping_(mapping), watcher_(watcher) {}

  std::string_view mapping_;
  const ByteSink* watcher_ = nullptr;  // null: none
};

/// Passes `bytes` to `sink` and to the watcher in parts of 128 KiB, and releases pages some MiB later.
void for_each_part(std::string_view bytes, const MappedPages& pages, const ByteSink& sink);

/// The bytes of a whole input. They keep their address when this object is moved.
class FileBytes {
 public:
  /// Takes bytes in memory, such as those of standard input.
  explicit FileBytes(std::string bytes);
  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&& other) noexcept;
  ~FileBytes();

  /// Valid as long as this object or the one that it was moved to.
  std::string_view view() const noexcept;

  /// Returns how many bytes after the view can be read, with any content: a mapping ends with a page.
  std::size_t readable_after() const noexcept;

  /// If the bytes are in memory, has only the watcher.
  MappedPages pages() const noexcept { return MappedPages(mapping_, watcher_.get()); }

  /// Calls `watcher` from now on with each part of about 100 KiB of archive members that was read to be
  /// copied, verified or converted, every time; compressed members after inflation. It can show progress, and
  /// cancel work by throwing. It is called in the reading threads. Call this before pages().
  void watch(ByteSink watcher) { watcher_ = std::make_unique<const ByteSink>(std::move(watcher)); }

 private:
  friend FileBytes read_file(const std::string& path, std::size_t max_bytes);
  FileBytes() = default;

  std::unique_ptr<const std::string> owned_;  // null: mapped
  std::string_view mapping_;
  std::unique_ptr<const ByteSink> watcher_;  // null: none
};

/// Returns the bytes of the file at `path`, mapped read-only if possible. A mapping follows the file: if the
/// file is truncated, access ends the process (SIGBUS on POSIX). The path is opened once, so pipes work.
/// `max_bytes` limits what is read into memory (pipes, devices, systems without mappings), but not mappings:
/// they take no memory, and archives with weights may exceed any sensible limit. Throws IoError with the path
/// and the system's reason; DataError over the limit.
FileBytes read_file(const std::string& path, std::size_t max_bytes = schemagen::Limits{}.input_bytes);

/// Returns the rest of `stream`, such as `stdin`, which must be binary. Messages call it `name`. Throws
/// IoError if reading fails; DataError over `max_bytes`.
std::string read_all(std::FILE* stream, const std::string& name,
                     std::size_t max_bytes = schemagen::Limits{}.input_bytes);

/// Writes `content` to the file at `path` as AtomicFile does, after `check` has seen all of it. If `content`
/// or `check` throws, no file appears.
void write_file_atomically(const std::string& path, const ByteSource& content, const ByteSink& check);

/// Returns whether both paths lead to the same file, also through links. False if one does not exist.
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace pt2
