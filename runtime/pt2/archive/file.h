// Files that are read, mapped where the system can do it; and bytes that are handed on in parts, so that
// no more of them is in memory than one part.
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

/// The pages of a file that is mapped: whoever has read a part for the last time gives its memory back, so
/// that going through a file takes no more memory than what is looked at together; and who watches that. A
/// copy is as good; valid as long as the FileBytes it is of, or the one that was moved to.
class MappedPages {
 public:
  MappedPages() = default;  // nothing is mapped, and nobody watches
  /// Of bytes that are in memory already. `watcher` must outlive this and its copies, see FileBytes::watch().
  explicit MappedPages(const ByteSink* watcher) : watcher_(watcher) {}

  /// Gives the memory of `part` back to the system, which reads the file again when it is needed. Does
  /// nothing for what does not lie in the mapping.
  void release(std::string_view part) const noexcept;

  /// Tells who watches that `part` was gone through. Errors: those of the watcher.
  void tell(std::string_view part) const {
    if (watcher_ != nullptr) (*watcher_)(part);
  }

 private:
  friend class FileBytes;
  MappedPages(std::string_view mapping, const ByteSink* watcher) : mapping_(mapping), watcher_(watcher) {}

  std::string_view mapping_;
  const ByteSink* watcher_ = nullptr;  // null: nobody
};

/// Gives `bytes` to `sink` in parts of 128 KiB, and tells who watches `pages`, which go back to the system
/// some MiB behind it.
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

  /// Where the bytes are in memory, nothing but who watches.
  MappedPages pages() const noexcept { return MappedPages(mapping_, watcher_.get()); }

  /// From now on, gives `watcher` each part of some 100 KiB of an archive's members when it was read to be
  /// copied, verified or looked at as numbers, as often as it is; what is compressed, inflated. So it can
  /// show how far long work is, and end it by what it throws. It is called in the threads that read. To be
  /// set before pages() is asked for.
  void watch(ByteSink watcher) { watcher_ = std::make_unique<const ByteSink>(std::move(watcher)); }

 private:
  friend FileBytes read_file(const std::string& path, std::size_t max_bytes);
  FileBytes() = default;

  std::unique_ptr<const std::string> owned_;  // null: the bytes are mapped
  std::string_view mapping_;
  std::unique_ptr<const ByteSink> watcher_;  // null: nobody
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

/// Writes what `content` gives to the file at `path`, as AtomicFile does, once `check` has seen all of it.
/// Errors: also those of `content` and `check`; then there is no new file.
void write_file_atomically(const std::string& path, const ByteSource& content, const ByteSink& check);

/// Whether both paths lead to one file, whatever links they go through. False where one leads nowhere.
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace pt2
