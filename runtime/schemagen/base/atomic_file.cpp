#include "schemagen/base/atomic_file.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <random>
#include <system_error>
#include <utility>

#include "schemagen/base/error.h"
#include "schemagen/base/file_path.h"

#if defined(__unix__) || defined(__APPLE__)
#define SCHEMAGEN_SYNCS_FILES
#include <unistd.h>
#endif

namespace schemagen {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const std::string& action, const std::string& path, int error) {
  if (error == ENOMEM) throw std::bad_alloc();
  throw FileIoError(action, path, error);
}

/// Windows has its own error numbers.
int number_of(const std::error_code& error) {
  return error.default_error_condition().value();
}

bool put_on_disk([[maybe_unused]] std::FILE* stream) {
#if !defined(SCHEMAGEN_SYNCS_FILES)
  return true;
#elif defined(__APPLE__)
  return ::fsync(::fileno(stream)) == 0;
#else
  return ::fdatasync(::fileno(stream)) == 0;
#endif
}

/// The link's target need not exist.
fs::path follow_links(fs::path target, const std::string& path) {
  constexpr int kMost = 40;
  std::error_code error;
  for (int links = 0; fs::is_symlink(target, error); ++links) {
    if (links == kMost) cannot_write("cannot write", path, ELOOP);
    const fs::path next = fs::read_symlink(target, error);
    if (error) cannot_write("cannot write", path, number_of(error));
    target = target.parent_path() / next;
  }
  return target;
}

/// Renaming would need only permission to change the folder.
void require_writable(const fs::path& target, const std::string& path) {
  std::FILE* const stream = open_stream(target, "r+b");
  if (stream == nullptr) cannot_write("cannot write", path, errno);
  std::fclose(stream);
}

// For signal handlers. Whoever takes a name out of its slot owns it.
using UnfinishedName = std::atomic<char*>;
std::array<UnfinishedName, 16> unfinished_names = {};

/// null if all slots are in use; no handler will then remove the file
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

/// Other writers in the folder are unlikely to choose it. Omits the target's name, which may have the maximum
/// length.
std::string temporary_name(const std::string& target) {
  std::random_device random;
  const std::string name = ".pt2-" + std::to_string(random()) + "-" + std::to_string(random()) + ".tmp";
  return from_path(to_path(target).parent_path() / name);
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : AtomicFile() {
  path_ = path;
  const fs::path given = to_path(path_);
  std::error_code error;
  // Uses the path as given: the link of a pipe in /proc/self/fd has no target with a name.
  const fs::file_status status = fs::status(given, error);
  if (status.type() == fs::file_type::directory) cannot_write("cannot write", path_, EISDIR);
  if (fs::exists(status) && status.type() != fs::file_type::regular) {
    stream_ = open_stream(given, "wb");
    if (stream_ == nullptr) cannot_write("cannot write", path_, errno);
    return;
  }
  const fs::path target = follow_links(given, path_);
  if (fs::exists(status)) require_writable(target, path_);
  target_ = from_path(target);
  open_temporary();
  if (fs::exists(status)) {
    // Some file systems have no permissions, so failing is not an error.
    fs::permissions(to_path(temporary_), status.permissions() & fs::perms::all, error);
  }
}

void AtomicFile::open_temporary() {
  // Retries only if a name is taken.
  for (int tries = 0; tries < 100; ++tries) {
    std::string name = temporary_name(target_);
    unfinished_ = note_unfinished(name);
    stream_ = create_stream(to_path(name));
    if (stream_ != nullptr) {
      temporary_ = std::move(name);
      return;
    }
    const int error = errno;
    forget_unfinished(std::exchange(unfinished_, nullptr));
    if (error != EEXIST) cannot_write("cannot create a temporary file to write", path_, error);
  }
  cannot_write("cannot create a temporary file to write", path_, EEXIST);
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
      cannot_write("cannot write", path_, errno != 0 ? errno : EIO);
    }
  }
}

const std::string& AtomicFile::written_path() {
  if (std::fflush(stream_) != 0) cannot_write("cannot write", path_, errno);
  return temporary_;
}

void AtomicFile::commit() {
  // Flush first: a rename may reach the disk before the data, and a power cut would then leave an empty file
  // instead of the old one. Pipes have no disk.
  const bool is_written = std::fflush(stream_) == 0 && (temporary_.empty() || put_on_disk(stream_));
  if (!is_written) cannot_write("cannot write", path_, errno);
  // Some network file systems notice a full disk only now.
  if (std::fclose(std::exchange(stream_, nullptr)) != 0) cannot_write("cannot write", path_, errno);
  if (temporary_.empty()) return;
  std::error_code error;
  fs::rename(to_path(temporary_), to_path(target_),
             error);  // unlike std::rename, replaces the old file on every system
  if (error) cannot_write("cannot write", path_, number_of(error));
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
