#include "pt2/archive/file.h"

#include <cerrno>

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

/// Null for empty files, for other than regular files, and if the system refuses.
std::shared_ptr<const char> map_file(std::FILE* stream, std::size_t& size) {
  const int descriptor = ::fileno(stream);
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0 ||
      static_cast<unsigned long long>(status.st_size) > std::numeric_limits<std::size_t>::max()) {
    return nullptr;
  }
  size = static_cast<std::size_t>(status.st_size);
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (address == MAP_FAILED) return nullptr;
  return {static_cast<const char*>(address), [address, all = size](const char*) { ::munmap(address, all); }};
}

std::size_t page_size() {
  return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::size_t rest_of_page(std::string_view mapping) {
  const std::size_t page = page_size();
  return (page - mapping.size() % page) % page;
}

/// Only the whole pages inside `part`: others may be using the rest of the first and last one.
void drop_pages(std::string_view part) {
  const std::size_t page = page_size();
  const auto start = reinterpret_cast<std::uintptr_t>(part.data());
  const std::uintptr_t first = (start + page - 1) / page * page;
  const std::uintptr_t last = (start + part.size()) / page * page;
  if (first < last) ::madvise(const_cast<char*>(part.data()) + (first - start), last - first, MADV_DONTNEED);
}

#if !defined(MAP_NORESERVE)
constexpr int MAP_NORESERVE = 0;
#endif

/// Null if the system refuses.
std::shared_ptr<char> map_own(std::FILE* stream, std::size_t offset, std::size_t size) {
  const std::size_t page = page_size();
  const std::size_t before = offset % page;
  const std::size_t all = before + size;
  void* const address = ::mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE,
                               ::fileno(stream), static_cast<off_t>(offset - before));
  if (address == MAP_FAILED) return nullptr;
  return {static_cast<char*>(address) + before, [address, all](char*) { ::munmap(address, all); }};
}

#else

constexpr const char* kReading = "rb";

std::shared_ptr<const char> map_file(std::FILE*, std::size_t&) {
  return nullptr;
}
std::size_t rest_of_page(std::string_view) {
  return 0;
}
void drop_pages(std::string_view) {}
std::shared_ptr<char> map_own(std::FILE*, std::size_t, std::size_t) {
  return nullptr;
}

#endif

}  // namespace

FileBytes::FileBytes(std::string bytes) {
  const auto owned = std::make_shared<const std::string>(std::move(bytes));
  bytes_ = *owned;
  owner_ = owned;
}

FileBytes FileBytes::borrowed(std::string_view bytes) {
  FileBytes all;
  all.bytes_ = bytes;
  return all;
}

FileBytes FileBytes::borrowed(const FileParts& parts) {
  FileBytes all;
  all.parts_ = &parts;
  return all;
}

std::size_t FileBytes::readable_after() const noexcept {
  return rest_of_page(mapping_);
}

MappedPages FileBytes::pages() const noexcept {
  MappedPages pages(watcher_.get());
  pages.mapping_ = mapping_;
  pages.file_ = mapped_file_.get();
  return pages;
}

bool MappedPages::contains(std::string_view part) const noexcept {
  const std::less_equal<const char*> not_after;  // compares pointers into any memory
  return !mapping_.empty() && not_after(mapping_.data(), part.data()) &&
         not_after(part.data() + part.size(), mapping_.data() + mapping_.size());
}

void MappedPages::release(std::string_view part) const noexcept {
  if (contains(part)) drop_pages(part);
}

std::shared_ptr<char> MappedPages::own_copy(std::string_view part) const {
  constexpr std::size_t kLeastMapped = std::size_t{128} << 10;  // copying less is faster than mapping it
  constexpr std::uintptr_t kAlignment = 16;                     // archives from old releases align nothing
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(part.data()) % kAlignment == 0;
  if (is_aligned && part.size() >= kLeastMapped && contains(part)) {
    const auto offset = static_cast<std::size_t>(part.data() - mapping_.data());
    if (std::shared_ptr<char> mapped = map_own(file_, offset, part.size())) return mapped;
  }
  std::shared_ptr<char> copy(new char[part.size()], std::default_delete<char[]>());
  std::copy(part.begin(), part.end(), copy.get());
  return copy;
}

void for_each_part(std::string_view bytes, const MappedPages& pages, const ByteSink& sink) {
  constexpr std::size_t kReleased = std::size_t{4} << 20;
  const bool are_many = bytes.size() > kReleased;
  while (!bytes.empty()) {
    const std::string_view some = bytes.substr(0, kReleased);
    for (std::size_t at = 0; at < some.size(); at += schemagen::kFilePartSize) {
      const std::string_view part = some.substr(at, schemagen::kFilePartSize);
      sink(part);
      pages.notify(part);
    }
    if (are_many) pages.release(some);
    bytes.remove_prefix(some.size());
  }
}

FileBytes read_file(const std::string& path, std::size_t max_bytes) {
  FileBytes::Stream stream(schemagen::open_file(path, kReading));
  if (!stream) file_error("cannot open", path, errno);
  std::size_t size = 0;
  const std::shared_ptr<const char> mapping = map_file(stream.get(), size);
  // A pipe opens only once, so this reads on from the same stream.
  if (mapping == nullptr) return FileBytes(read_all(stream.get(), path, max_bytes));
  FileBytes mapped;
  mapped.bytes_ = mapped.mapping_ = {mapping.get(), size};
  mapped.owner_ = mapping;
  mapped.mapped_file_ = std::move(stream);
  return mapped;
}

std::string read_all(std::FILE* stream, const std::string& name, std::size_t max_bytes) {
#if defined(_WIN32)
  _setmode(_fileno(stream), _O_BINARY);
#endif
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

}  // namespace pt2
