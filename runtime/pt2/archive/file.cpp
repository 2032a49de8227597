#include "pt2/archive/file.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include "schemagen/value/error.h"

// PT2_PLAIN_FILES chooses the plain code on systems that could do better: to test it.
#if !defined(PT2_PLAIN_FILES) && (defined(__unix__) || defined(__APPLE__))
#define PT2_MAPS_FILES
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <limits>
#endif

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#endif

namespace pt2 {
namespace {

namespace fs = std::filesystem;

/// What is written at once, and looked at before that: it stays in a processor's cache on the way. Of larger
/// writes Linux makes larger pieces of its cache of files, which has taken up to six times as long.
constexpr std::size_t kPartSize = std::size_t{128} << 10;

/// `action` is e.g. "cannot open"; `error` an errno value.
[[noreturn]] void fail(const std::string& action, const std::string& path, int error) {
  throw schemagen::IoError(action + " '" + path + "': " + std::generic_category().message(error));
}

#if defined(PT2_MAPS_FILES)

constexpr const char* kReading = "rbe";  // e: not to be inherited by other programs

/// Maps a regular file that is not empty; an empty view for all else, including a mapping that the system
/// refuses.
std::string_view map_file(std::FILE* stream) {
  const int descriptor = ::fileno(stream);
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0 ||
      static_cast<unsigned long long>(status.st_size) > std::numeric_limits<std::size_t>::max()) {
    return {};
  }
  const std::size_t size = static_cast<std::size_t>(status.st_size);
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  return address == MAP_FAILED ? std::string_view()
                               : std::string_view(static_cast<const char*>(address), size);
}

void unmap(std::string_view mapping) {
  // munmap takes the address that mmap gave, which was not const.
  if (!mapping.empty()) ::munmap(const_cast<char*>(mapping.data()), mapping.size());
}

/// Bytes between the end of a mapping and the end of its last page, which are zeros.
std::size_t rest_of_page(std::string_view mapping) {
  const long page = ::sysconf(_SC_PAGESIZE);
  if (mapping.empty() || page <= 0) return 0;
  const std::size_t used = mapping.size() % static_cast<std::size_t>(page);
  return used == 0 ? 0 : static_cast<std::size_t>(page) - used;
}

/// `part` lies in a mapping, which begins and ends with a page.
void drop_pages(std::string_view part) {
  const long page = ::sysconf(_SC_PAGESIZE);
  if (part.empty() || page <= 0) return;
  const std::uintptr_t before =
      reinterpret_cast<std::uintptr_t>(part.data()) % static_cast<std::uintptr_t>(page);
  // Advice may be refused; nothing depends on it.
  ::madvise(const_cast<char*>(part.data() - before), part.size() + before, MADV_DONTNEED);
}

/// Has the system put what was written to `stream` on the disk; false: errno says why not.
bool put_on_disk(std::FILE* stream) {
#if defined(__APPLE__)
  return ::fsync(::fileno(stream)) == 0;
#else
  return ::fdatasync(::fileno(stream)) == 0;
#endif
}

#else

constexpr const char* kReading = "rb";

std::string_view map_file(std::FILE*) {
  return {};
}
void unmap(std::string_view) {}
std::size_t rest_of_page(std::string_view) {
  return 0;
}
void drop_pages(std::string_view) {}
bool put_on_disk(std::FILE*) {
  return true;
}

#endif

/// Closes what it holds at the end of a scope.
struct Close {
  void operator()(std::FILE* stream) const { std::fclose(stream); }
};

void set_binary_mode([[maybe_unused]] std::FILE* stream) {
#if defined(_WIN32)
  _setmode(_fileno(stream), _O_BINARY);
#endif
}

/// The file that a chain of symbolic links ends at, which need not exist; `path` itself where it is no link.
std::string follow_links(const std::string& path) {
  constexpr int kMost = 40;  // as Linux has it
  fs::path target = path;
  std::error_code error;
  for (int links = 0; fs::is_symlink(target, error); ++links) {
    if (links == kMost) fail("cannot write", path, ELOOP);
    const fs::path next = fs::read_symlink(target, error);
    if (error) fail("cannot write", path, error.value());
    target = target.parent_path() / next;  // `next` alone if it is absolute
  }
  return target.string();
}

/// Refuses a file that the caller may not write: a rename asks for the right to change the folder only.
void require_writable(const std::string& path, const std::string& target) {
  std::FILE* const stream = std::fopen(target.c_str(), "r+b");  // changes nothing
  if (stream == nullptr) fail("cannot write", path, errno);
  std::fclose(stream);
}

// Names of temporary files, for a handler of signals: whoever takes a name out of its slot owns it.
using UnfinishedName = std::atomic<char*>;
std::array<UnfinishedName, 16> unfinished_names = {};

/// The slot that now has a copy of `name`; null if all are in use: no handler will remove that file.
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

/// A name that no other writer in the folder of `target` is likely to choose.
/// It does not contain the target's name, which may be as long as a name can be.
std::string temporary_name(const std::string& target) {
  std::random_device random;
  const std::string name = ".pt2-" + std::to_string(random()) + "-" + std::to_string(random()) + ".tmp";
  return (fs::path(target).parent_path() / name).string();
}

}  // namespace

FileBytes::FileBytes(std::string bytes) : owned_(std::make_unique<const std::string>(std::move(bytes))) {}

FileBytes::FileBytes(FileBytes&& other) noexcept
    : owned_(std::move(other.owned_)), mapping_(std::exchange(other.mapping_, {})) {}

FileBytes& FileBytes::operator=(FileBytes&& other) noexcept {
  std::swap(owned_, other.owned_);
  std::swap(mapping_, other.mapping_);
  return *this;
}

FileBytes::~FileBytes() {
  unmap(mapping_);
}

std::string_view FileBytes::view() const noexcept {
  return owned_ ? std::string_view(*owned_) : mapping_;
}

std::size_t FileBytes::readable_after() const noexcept {
  return rest_of_page(mapping_);
}

void MappedPages::release(std::string_view part) const noexcept {
  const std::less_equal<const char*> not_after;  // of pointers into any memory
  const bool is_inside = !mapping_.empty() && not_after(mapping_.data(), part.data()) &&
                         not_after(part.data() + part.size(), mapping_.data() + mapping_.size());
  if (is_inside) drop_pages(part);
}

void for_each_part(std::string_view bytes, const MappedPages& pages, const ByteSink& sink) {
  constexpr std::size_t kReleased = std::size_t{4} << 20;
  const bool are_many = bytes.size() > kReleased;  // what is less may be wanted again at once
  while (!bytes.empty()) {
    const std::string_view some = bytes.substr(0, kReleased);
    for (std::size_t at = 0; at < some.size(); at += kPartSize) sink(some.substr(at, kPartSize));
    if (are_many) pages.release(some);
    bytes.remove_prefix(some.size());
  }
}

FileBytes read_file(const std::string& path, std::size_t max_bytes) {
  const std::unique_ptr<std::FILE, Close> stream(std::fopen(path.c_str(), kReading));
  if (!stream) fail("cannot open", path, errno);
  FileBytes mapped;
  mapped.mapping_ = map_file(stream.get());
  if (!mapped.mapping_.empty()) return mapped;
  // The same stream: what a pipe has can be read once.
  return FileBytes(read_all(stream.get(), path, max_bytes));
}

std::string read_all(std::FILE* stream, const std::string& name, std::size_t max_bytes) {
  set_binary_mode(stream);
  std::string bytes;
  char buffer[1 << 16];
  for (;;) {
    errno = 0;
    const std::size_t count = std::fread(buffer, 1, sizeof buffer, stream);
    if (count > max_bytes - bytes.size()) {
      throw schemagen::DataError("'" + name + "' has more bytes than the limit of " +
                                 std::to_string(max_bytes) + " (input_bytes)");
    }
    bytes.append(buffer, count);
    if (count == sizeof buffer) continue;
    if (std::ferror(stream) != 0) fail("cannot read", name, errno != 0 ? errno : EIO);
    return bytes;
  }
}

AtomicFile::AtomicFile(const std::string& path) : path_(path) {
  std::error_code error;
  // Of the path as it is given: a pipe's link in /proc/self/fd leads nowhere that has a name.
  const fs::file_status status = fs::status(path_, error);
  if (status.type() == fs::file_type::directory) fail("cannot write", path_, EISDIR);
  if (fs::exists(status) && status.type() != fs::file_type::regular) {
    stream_ = std::fopen(path_.c_str(), "wb");
    if (stream_ == nullptr) fail("cannot write", path_, errno);
    return;
  }
  target_ = follow_links(path_);
  if (fs::exists(status)) require_writable(path_, target_);
  open_temporary();
  if (fs::exists(status)) {
    // Where a file system keeps no permissions there are none to keep, so failing is no error.
    fs::permissions(temporary_, status.permissions() & fs::perms::all, error);
  }
}

void AtomicFile::open_temporary() {
  // A second try only ever follows a name that is taken; "x" never opens what is there already.
  for (int tries = 0; tries < 100; ++tries) {
    temporary_ = temporary_name(target_);
    unfinished_ = note_unfinished(temporary_);
    stream_ = std::fopen(temporary_.c_str(), "wbx");
    if (stream_ != nullptr) return;
    const int error = errno;
    forget_unfinished(std::exchange(unfinished_, nullptr));
    if (error != EEXIST) fail("cannot create a temporary file to write", path_, error);
  }
  fail("cannot create a temporary file to write", path_, EEXIST);
}

AtomicFile::~AtomicFile() {
  if (stream_ != nullptr) std::fclose(stream_);
  if (!temporary_.empty()) std::remove(temporary_.c_str());
  forget_unfinished(unfinished_);
}

void AtomicFile::write(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += kPartSize) {
    const std::string_view part = bytes.substr(at, kPartSize);
    errno = 0;
    if (std::fwrite(part.data(), 1, part.size(), stream_) != part.size()) {
      fail("cannot write", path_, errno != 0 ? errno : EIO);
    }
  }
}

FileBytes AtomicFile::written() {
  if (std::fflush(stream_) != 0) fail("cannot write", path_, errno);
  return read_file(temporary_);
}

void AtomicFile::commit() {
  // A rename may reach the disk before what was written: a power cut would then leave an empty file in place
  // of the old one. A pipe has no disk.
  const bool is_written = std::fflush(stream_) == 0 && (temporary_.empty() || put_on_disk(stream_));
  if (!is_written) fail("cannot write", path_, errno);
  // Some file systems, those on a network, find only now that the disk is full.
  if (std::fclose(std::exchange(stream_, nullptr)) != 0) fail("cannot write", path_, errno);
  if (temporary_.empty()) return;
  std::error_code error;
  fs::rename(temporary_, target_, error);  // replaces the old file on every system, unlike std::rename
  if (error) throw schemagen::IoError("cannot write '" + path_ + "': " + error.message());
  temporary_.clear();
  forget_unfinished(std::exchange(unfinished_, nullptr));
}

void remove_unfinished_files() noexcept {
  for (UnfinishedName& slot : unfinished_names) {
    if (const char* const name = slot.exchange(nullptr)) std::remove(name);
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

void write_file_atomically(const std::string& path, const ByteSource& content, const ByteSink& check) {
  AtomicFile file(path);
  if (file.can_be_read()) {
    content([&](std::string_view part) { file.write(part); });
    check(file.written().view());
  } else {
    std::string bytes;
    content([&](std::string_view part) { bytes += part; });
    check(bytes);
    file.write(bytes);
  }
  file.commit();
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

}  // namespace pt2
