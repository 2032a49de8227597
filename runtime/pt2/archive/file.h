// Files, memory-mapped if possible, and streams that process bytes in parts to bound memory.
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

/// The pages of a mapped file, and its watcher. Releasing parts after their last use bounds memory while a
/// file is processed. Can be copied. Valid as long as its FileBytes, or the one that this was moved to.
class MappedPages {
 public:
  MappedPages() = default;  // for bytes that are neither mapped nor watched
  /// For bytes in memory. `watcher` must outlive this object and its copies; see FileBytes::watch().
  explicit MappedPages(const ByteSink* watcher) : watcher_(watcher) {}

  /// Returns the memory of `part` to the system, which reads the file again when needed. Ignores parts
  /// outside the mapping.
  void release(std::string_view part) const noexcept;

  /// Passes `part` to the watcher, and throws what the watcher throws.
  void tell(std::string_view part) const {
    if (watcher_ != nullptr) (*watcher_)(part);
  }

 private:
  friend class FileBytes;
  MappedPages(std::string_view mapping, const ByteSink* watcher) : mapping_(mapping), watcher_(watcher) {}

  std::string_view mapping_;
  const ByteSink* watcher_ = nullptr;
};

/// Passes `bytes` to `sink` and to the watcher in parts of 128 KiB, and releases each page some MiB later.
void for_each_part(std::string_view bytes, const MappedPages& pages, const ByteSink& sink);

/// The bytes of a whole input. They keep their address when this object is moved.
class FileBytes {
 public:
  /// Takes ownership of bytes in memory, such as those read from standard input.
  explicit FileBytes(std::string bytes);
  /// Takes bytes that outlive this object and all that is made from it.
  static FileBytes borrowed(std::string_view bytes);
  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&& other) noexcept;
  ~FileBytes();

  /// Valid as long as this object, or the one that it was moved to.
  std::string_view view() const noexcept;

  /// Returns how many bytes after the view can be read, whatever their content: a mapping ends at a page
  /// boundary.
  std::size_t readable_after() const noexcept;

  /// Returns the pages; for bytes in memory, only the watcher.
  MappedPages pages() const noexcept { return MappedPages(mapping_, watcher_.get()); }

  /// From now on, calls `watcher` with each part of about 100 KiB of an archive member that is read to be
  /// copied, verified or converted, every time it is read; compressed members are passed decompressed. The
  /// watcher can show progress, and can cancel the work by throwing. It runs in the reading threads. Call
  /// this before pages().
  void watch(ByteSink watcher) { watcher_ = std::make_unique<const ByteSink>(std::move(watcher)); }

 private:
  friend FileBytes read_file(const std::string& path, std::size_t max_bytes);
  FileBytes() = default;

  std::unique_ptr<const std::string> owned_;  // null: mapped or borrowed
  std::string_view borrowed_;
  std::string_view mapping_;
  std::unique_ptr<const ByteSink> watcher_;
};

/// Returns the bytes of the file at `path`, mapped read-only if possible. A mapping follows the file: if the
/// file is truncated, accessing it ends the process (SIGBUS on POSIX). The path is opened only once, so pipes
/// work. `max_bytes` limits what is read into memory (pipes, devices, systems without mappings). It does not
/// limit mappings: they take no memory, and archives with weights may exceed any sensible limit. Throws
/// IoError with the path and the system's reason, and DataError over the limit.
FileBytes read_file(const std::string& path, std::size_t max_bytes = schemagen::Limits{}.input_bytes);

/// Returns the rest of `stream`, such as `stdin`, which must be in binary mode. `name` is its name in
/// messages. Throws IoError if reading fails, and DataError over `max_bytes`.
std::string read_all(std::FILE* stream, const std::string& name,
                     std::size_t max_bytes = schemagen::Limits{}.input_bytes);

/// Writes `content` to the file at `path` like AtomicFile, but calls `check` with all of it first. If
/// `content` or `check` throws, no file appears.
void write_file_atomically(const std::string& path, const ByteSource& content, const ByteSink& check);

/// Returns whether both paths refer to the same file, even through links. False if one does not exist.
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace pt2
