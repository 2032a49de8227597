#include "pt2/archive/file.h"

#include <cerrno>
#include <cstdint>
#include <utility>

#include "schemagen/base/atomic_file.h"
#include "schemagen/base/counted.h"
#include "schemagen/base/file_system.h"

// PT2_PLAIN_FILES selects the portable code, for tests.
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

using schemagen::file_error;

#if defined(PT2_MAPS_FILES)

constexpr const char* kReading = "rbe";  // e: close on exec

/// Empty for empty files, for other than regular files, and if the system refuses.
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
  if (!mapping.empty()) ::munmap(const_cast<char*>(mapping.data()), mapping.size());
}

std::size_t rest_of_page(std::string_view mapping) {
  const long page = ::sysconf(_SC_PAGESIZE);
  if (mapping.empty() || page <= 0) return 0;
  const std::size_t used = mapping.size() % static_cast<std::size_t>(page);
  return used == 0 ? 0 : static_cast<std::size_t>(page) - used;
}

void drop_pages(std::string_view part) {
  const long page = ::sysconf(_SC_PAGESIZE);
  if (part.empty() || page <= 0) return;
  const std::uintptr_t before =
      reinterpret_cast<std::uintptr_t>(part.data()) % static_cast<std::uintptr_t>(page);
  ::madvise(const_cast<char*>(part.data() - before), part.size() + before, MADV_DONTNEED);
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

#endif

struct Close {
  void operator()(std::FILE* stream) const { std::fclose(stream); }
};

void set_binary_mode([[maybe_unused]] std::FILE* stream) {
#if defined(_WIN32)
  _setmode(_fileno(stream), _O_BINARY);
#endif
}

}  // namespace

FileBytes::FileBytes(std::string bytes) : owned_(std::make_unique<const std::string>(std::move(bytes))) {}

FileBytes FileBytes::borrowed(std::string_view bytes) {
  FileBytes all;
  all.borrowed_ = bytes;
  return all;
}

FileBytes::FileBytes(FileBytes&& other) noexcept
    : owned_(std::move(other.owned_)),
      borrowed_(std::exchange(other.borrowed_, {})),
      mapping_(std::exchange(other.mapping_, {})),
      watcher_(std::move(other.watcher_)) {}

FileBytes& FileBytes::operator=(FileBytes&& other) noexcept {
  std::swap(owned_, other.owned_);
  std::swap(borrowed_, other.borrowed_);
  std::swap(mapping_, other.mapping_);
  std::swap(watcher_, other.watcher_);
  return *this;
}

FileBytes::~FileBytes() {
  unmap(mapping_);
}

std::string_view FileBytes::view() const noexcept {
  if (owned_) return *owned_;
  return mapping_.empty() ? borrowed_ : mapping_;
}

std::size_t FileBytes::readable_after() const noexcept {
  return rest_of_page(mapping_);
}

void MappedPages::release(std::string_view part) const noexcept {
  const std::less_equal<const char*> not_after;  // compares pointers into any memory
  const bool is_inside = !mapping_.empty() && not_after(mapping_.data(), part.data()) &&
                         not_after(part.data() + part.size(), mapping_.data() + mapping_.size());
  if (is_inside) drop_pages(part);
}

void for_each_part(std::string_view bytes, const MappedPages& pages, const ByteSink& sink) {
  constexpr std::size_t kReleased = std::size_t{4} << 20;
  const bool are_many = bytes.size() > kReleased;
  while (!bytes.empty()) {
    const std::string_view some = bytes.substr(0, kReleased);
    for (std::size_t at = 0; at < some.size(); at += schemagen::kFilePartSize) {
      const std::string_view part = some.substr(at, schemagen::kFilePartSize);
      sink(part);
      pages.tell(part);
    }
    if (are_many) pages.release(some);
    bytes.remove_prefix(some.size());
  }
}

FileBytes read_file(const std::string& path, std::size_t max_bytes) {
  const std::unique_ptr<std::FILE, Close> stream(schemagen::open_file(path, kReading));
  if (!stream) file_error("cannot open", path, errno);
  FileBytes mapped;
  mapped.mapping_ = map_file(stream.get());
  if (!mapped.mapping_.empty()) return mapped;
  // A pipe opens only once, so this reads on from the same stream.
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
      throw schemagen::DataError("'" + name + "' exceeds the limit of " +
                                 schemagen::counted(max_bytes, "byte") + " (input_bytes)");
    }
    bytes.append(buffer, count);
    if (count == sizeof buffer) continue;
    if (std::ferror(stream) != 0) file_error("cannot read", name, errno != 0 ? errno : EIO);
    return bytes;
  }
}

void write_file_atomically(const std::string& path, const ByteSource& content, const ByteSink& check) {
  AtomicFile file(path);
  if (file.can_be_read()) {
    content([&](std::string_view part) { file.write(part); });
    check(read_file(file.written_path()).view());
  } else {
    std::string bytes;
    content([&](std::string_view part) { bytes += part; });
    check(bytes);
    file.write(bytes);
  }
  file.commit();
}

bool is_same_file(const std::string& a, const std::string& b) {
  return schemagen::is_same_file(a, b);
}

}  // namespace pt2
