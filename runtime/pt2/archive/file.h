// Reads files, mapping them into memory if possible, and processes bytes in parts to limit memory use.
#pragma once

#include <cstdio>
#include <string>
#include <utility>

#include "pt2/archive/sparse_bytes.h"
#include "schemagen/base/atomic_file.h"
#include "schemagen/base/limits.h"

namespace pt2 {

using schemagen::AtomicFile;
using schemagen::ByteSink;
using schemagen::ByteSource;
using schemagen::remove_unfinished_files;
using schemagen::write_file_atomically;

/// A handle for a mapped file's pages and watcher. Releasing each part of the file after its last use limits
/// the memory in use while the file is processed. Handles can be copied. A handle is valid as long as the
/// FileBytes that it came from exists or, after a move, the FileBytes to which its bytes were moved.
class MappedPages {
 public:
  MappedPages() = default;  // a handle for bytes that are neither mapped nor watched
  /// Creates a handle for bytes in memory. `watcher` must outlive this object and its copies; see
  /// FileBytes::watch().
  explicit MappedPages(const ByteSink* watcher) : watcher_(watcher) {}

  /// Returns the pages that lie completely inside `part` to the operating system. If they are accessed again,
  /// the system reads them from the file. Does nothing if `part` is outside the mapping.
  void release(std::string_view part) const noexcept;

  /// Returns a copy of `part` that belongs to the caller: changes to it reach neither the file nor anything
  /// that the library reads. The copy of a large part of a mapping is a mapping too, so it takes memory only
  /// for the pages that the caller changes, and the file must not be truncated while it exists. The copy is
  /// aligned to 16 bytes and outlives this handle. Throws std::bad_alloc.
  std::shared_ptr<char> own_copy(std::string_view part) const;

  /// Passes `part` to the watcher, if there is one. Throws whatever the watcher throws.
  void notify(std::string_view part) const {
    if (watcher_ != nullptr) (*watcher_)(part);
  }

 private:
  friend class FileBytes;
  bool contains(std::string_view part) const noexcept;

  std::string_view mapping_;
  std::FILE* file_ = nullptr;
  const ByteSink* watcher_ = nullptr;
};

/// Passes `bytes` to `sink` and to the watcher in parts of 128 KiB. Releases the pages after every 4 MiB if
/// there are more than 4 MiB.
void for_each_part(std::string_view bytes, const MappedPages& pages, const ByteSink& sink);

/// The bytes of a whole input. Moving this object does not change their address.
class FileBytes {
 public:
  /// Takes ownership of bytes in memory, such as those read from standard input.
  explicit FileBytes(std::string bytes);
  /// Returns an object that refers to `bytes` without owning them. The bytes must outlive that object and
  /// everything that is made from it.
  static FileBytes borrowed(std::string_view bytes);
  /// Returns an object that refers to the parts of a file, which must outlive what is made from it.
  static FileBytes borrowed(const FileParts& parts);

  /// Returns the bytes. The view is valid as long as this object exists or, after a move, the object that it
  /// was moved to. Empty if only parts of the file are in memory.
  std::string_view view() const noexcept { return bytes_; }

  /// Returns the bytes, or those that are in memory.
  SparseBytes sparse() const { return parts_ == nullptr ? SparseBytes(view()) : SparseBytes(*parts_); }

  /// Removes the first `count` bytes from the view, e.g. a byte order mark.
  void skip(std::size_t count) noexcept { bytes_.remove_prefix(std::min(count, bytes_.size())); }

  /// Returns how many bytes after the view can be read without a fault. A mapping has such bytes because it
  /// ends at a page boundary. Their content is unspecified.
  std::size_t readable_after() const noexcept;

  /// Returns a handle for the pages and the watcher. If the bytes are in memory, the handle has only the
  /// watcher.
  MappedPages pages() const noexcept;

  /// Passes the bytes of archive members to `watcher` as they are read. Whenever a member is copied, verified
  /// or converted, the watcher receives the member's decompressed bytes in parts of about 100 KiB. The
  /// watcher can show progress, and it can cancel the work by throwing an exception. It is called from the
  /// threads that read. Call this function before pages().
  void watch(ByteSink watcher) { watcher_ = std::make_unique<const ByteSink>(std::move(watcher)); }

 private:
  friend FileBytes read_file(const std::string& path, std::size_t max_bytes);
  struct Close {
    void operator()(std::FILE* stream) const noexcept { std::fclose(stream); }
  };
  using Stream = std::unique_ptr<std::FILE, Close>;

  FileBytes() = default;

  std::string_view bytes_;
  std::shared_ptr<const void> owner_;  // null if the bytes are borrowed
  const FileParts* parts_ = nullptr;
  std::string_view mapping_;
  Stream mapped_file_;  // for MappedPages::own_copy()
  std::unique_ptr<const ByteSink> watcher_;
};

/// Returns the bytes of the file at `path`, mapped read-only if possible. The file stays open as long as it
/// is mapped. A mapping reflects later changes to the file; if the file is truncated, accessing the missing
/// part terminates the process (SIGBUS on POSIX). The path is opened only once, so pipes work.
///
/// `max_bytes` limits how many bytes are read into memory (from pipes, from devices, and on systems without
/// mappings). It does not limit mappings: they take no memory, and archives with weights can exceed any
/// sensible limit.
///
/// Throws IoError, with the path and the system's reason, if the file cannot be read. Throws DataError if it
/// exceeds the limit.
FileBytes read_file(const std::string& path, std::size_t max_bytes = schemagen::Limits{}.input_bytes);

/// Reads the rest of `stream`, e.g. `stdin`, and returns it. Switches the stream to binary mode on Windows.
/// Messages refer to the stream as `name`. Throws IoError if reading fails, and DataError if there are more
/// than `max_bytes` bytes.
std::string read_all(std::FILE* stream, const std::string& name,
                     std::size_t max_bytes = schemagen::Limits{}.input_bytes);

/// Writes `content` to the file at `path` as AtomicFile does, but passes the whole content to `check` before
/// the file appears. If `content` or `check` throws an exception, no file appears.
void write_file_atomically(const std::string& path, const ByteSource& content, const ByteSink& check);

}  // namespace pt2
