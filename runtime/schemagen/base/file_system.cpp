#include "schemagen/base/file_system.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <new>
#include <system_error>

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#endif

#include "schemagen/base/ascii.h"
#include "schemagen/base/error.h"

namespace schemagen {
namespace {

namespace fs = std::filesystem;

#if defined(_WIN32)

fs::path to_path(const std::string& path) {
  try {
#if defined(__cpp_char8_t)
    return fs::path(std::u8string(path.begin(), path.end()));
#else
    return fs::u8path(path);
#endif
  } catch (const std::system_error&) {
    throw FileIoError("cannot use", path, EILSEQ);
  }
}

std::string from_path(const fs::path& path) {
  const auto text = path.u8string();
  return std::string(text.begin(), text.end());
}

#else

fs::path to_path(const std::string& path) {
  return path;
}

std::string from_path(const fs::path& path) {
  return path.string();
}

#endif

/// Windows has its own numbers.
int number_of(const std::error_code& error) {
  return error.default_error_condition().value();
}

FileKind kind_of(const fs::file_status& status) {
  if (!fs::exists(status)) return FileKind::missing;
  if (status.type() == fs::file_type::regular) return FileKind::regular;
  return status.type() == fs::file_type::directory ? FileKind::folder : FileKind::other;
}

}  // namespace

void file_error(const std::string& action, const std::string& path, int error_number) {
  if (error_number == ENOMEM) throw std::bad_alloc();
  throw FileIoError(action, path, error_number);
}

FileStatus status_of(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(to_path(path), ignored);
  return {kind_of(status), static_cast<unsigned>(status.permissions() & fs::perms::all)};
}

std::string follow_links(const std::string& path) {
  constexpr int kMost = 40;
  fs::path target = to_path(path);
  std::error_code error;
  for (int links = 0; fs::is_symlink(target, error); ++links) {
    if (links == kMost) file_error("cannot write", path, ELOOP);
    const fs::path next = fs::read_symlink(target, error);
    if (error) file_error("cannot write", path, number_of(error));
    target = target.parent_path() / next;
  }
  return from_path(target);
}

std::FILE* open_to_write(const std::string& target, const char* mode, const std::string& path) {
  std::FILE* const stream = open_file(target, mode);
  if (stream == nullptr) file_error("cannot write", path, errno);
  return stream;
}

std::string path_beside(const std::string& path, const std::string& name) {
  return from_path(to_path(path).parent_path() / name);
}

void set_permissions(const std::string& path, unsigned permissions) {
  std::error_code ignored;
  fs::permissions(to_path(path), static_cast<fs::perms>(permissions), ignored);
}

void rename_file(const std::string& from, const std::string& to, const std::string& path) {
  std::error_code error;
  fs::rename(to_path(from), to_path(to), error);  // unlike std::rename, replaces the old file on every system
  if (error) file_error("cannot write", path, number_of(error));
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::equivalent(to_path(a), to_path(b), error) && !error;
}

bool is_same_output(const std::string& a, const std::string& b) {
  if (is_same_file(a, b)) return true;
  std::error_code error;
  const auto place = [&](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(to_path(follow_links(path)), error), error);
  };
  const fs::path target_a = place(a);
  const fs::path target_b = place(b);
  if (fs::exists(target_a, error) || fs::exists(target_b, error)) return false;
  const auto same = [](char x, char y) { return lower(x) == lower(y); };
  const std::string text_a = from_path(target_a);
  const std::string text_b = from_path(target_b);
  return std::equal(text_a.begin(), text_a.end(), text_b.begin(), text_b.end(), same);
}

#if defined(_WIN32)

std::FILE* open_file(const std::string& path, const char* mode) {
  const std::string narrow = mode;
  return ::_wfopen(to_path(path).c_str(), std::wstring(narrow.begin(), narrow.end()).c_str());
}

std::FILE* create_file(const std::string& path) {
  // Older runtimes do not know the mode "wbx".
  const int file =
      ::_wopen(to_path(path).c_str(), _O_CREAT | _O_EXCL | _O_WRONLY | _O_BINARY, _S_IREAD | _S_IWRITE);
  return file == -1 ? nullptr : ::_fdopen(file, "wb");
}

void remove_file(const char* path) noexcept {
  try {
    ::_wremove(to_path(path).c_str());
  } catch (...) {  // the file opened under this name, so only memory can be missing
  }
}

#else

std::FILE* open_file(const std::string& path, const char* mode) {
  return std::fopen(path.c_str(), mode);
}

std::FILE* create_file(const std::string& path) {
  return std::fopen(path.c_str(), "wbx");
}

void remove_file(const char* path) noexcept {
  std::remove(path);
}

#endif

}  // namespace schemagen
