#include "schemagen/base/atomic_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <random>
#include <utility>

#include "schemagen/base/file_system.h"

#if defined(__unix__) || defined(__APPLE__)
#define SCHEMAGEN_SYNCS_FILES
#include <unistd.h>
#endif

namespace schemagen {
namespace {

bool put_on_disk([[maybe_unused]] std::FILE* stream) {
#if !defined(SCHEMAGEN_SYNCS_FILES)
  return true;
#elif defined(__APPLE__)
  return ::fsync(::fileno(stream)) == 0;
#else
  return ::fdatasync(::fileno(stream)) == 0;
#endif
}

// For signal handlers. Taking a name out of its slot means owning it.
using UnfinishedName = std::atomic<char*>;
std::array<UnfinishedName, 16> unfinished_names = {};

/// Null if all slots are in use: then no handler removes the file.
UnfinishedName* note_unfinished(const std::string& name) {
  std::unique_ptr<char[]> copy(new char[name.size() + 1]);
  std::memcpy(copy.get(), name.c_str(), name.size() + 1);
  for (UnfinishedName& slot : unfinished_names) {
    char* expected = nullptr;
    if (!slot.compare_exchange_strong(expected, copy.get())) continue;
    static_cast<void>(copy.release());
    return &slot;
  }
  return nullptr;
}

void forget_unfinished(UnfinishedName* slot) {
  if (slot != nullptr) delete[] slot->exchange(nullptr);
}

/// Unlikely to collide with other writers. Omits the target's name, which may have the maximum length.
std::string temporary_name(const std::string& target) {
  std::random_device random;
  const std::string name = ".pt2-" + std::to_string(random()) + "-" + std::to_string(random()) + ".tmp";
  return path_beside(target, name);
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : AtomicFile() {
  path_ = path;
  // Not resolved: the link of a pipe in /proc/self/fd has no target with a name.
  const FileStatus status = status_of(path);
  if (status.kind == FileKind::folder) file_error("cannot write", path, EISDIR);
  if (status.kind == FileKind::other) {
    stream_ = open_to_write(path, "wb", path);
    return;
  }
  target_ = follow_links(path);
  if (status.kind == FileKind::regular) {
    std::fclose(open_to_write(target_, "r+b", path));  // renaming needs only permission to change the folder
  }
  open_temporary();
  if (status.kind == FileKind::regular) set_permissions(temporary_, status.permissions);
}

void AtomicFile::open_temporary() {
  for (int tries = 0; tries < 100; ++tries) {
    std::string name = temporary_name(target_);
    unfinished_ = note_unfinished(name);
    stream_ = create_file(name);
    if (stream_ != nullptr) {
      temporary_ = std::move(name);
      return;
    }
    const int error = errno;
    forget_unfinished(std::exchange(unfinished_, nullptr));
    if (error != EEXIST) file_error("cannot create a temporary file to write", path_, error);
  }
  file_error("cannot create a temporary file to write", path_, EEXIST);
}

AtomicFile::~AtomicFile() {
  if (stream_ != nullptr) std::fclose(stream_);
  if (!temporary_.empty()) remove_file(temporary_.c_str());
  forget_unfinished(unfinished_);
}

void AtomicFile::write(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += kFilePartSize) {
    const std::string_view part = bytes.substr(at, kFilePartSize);
    errno = 0;
    if (std::fwrite(part.data(), 1, part.size(), stream_) != part.size()) {
      file_error("cannot write", path_, errno != 0 ? errno : EIO);
    }
  }
}

const std::string& AtomicFile::written_path() {
  if (std::fflush(stream_) != 0) file_error("cannot write", path_, errno);
  return temporary_;
}

void AtomicFile::commit() {
  // A rename may reach the disk before the data, and a power cut would then leave an empty file. Pipes have
  // no disk.
  const bool is_written = std::fflush(stream_) == 0 && (temporary_.empty() || put_on_disk(stream_));
  if (!is_written) file_error("cannot write", path_, errno);
  // Some network file systems notice a full disk only now.
  if (std::fclose(std::exchange(stream_, nullptr)) != 0) file_error("cannot write", path_, errno);
  if (temporary_.empty()) return;
  rename_file(temporary_, target_, path_);
  temporary_.clear();
  forget_unfinished(std::exchange(unfinished_, nullptr));
}

void remove_unfinished_files() noexcept {
  for (UnfinishedName& slot : unfinished_names) {
    if (const char* const name = slot.exchange(nullptr)) remove_file(name);
  }
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
  write_file_atomically(path, [bytes](const ByteSink& sink) { sink(bytes); });
}

void write_file_atomically(const std::string& path, const ByteSource& content) {
  AtomicFile file(path);
  content([&](std::string_view part) { file.write(part); });
  file.commit();
}

}  // namespace schemagen
