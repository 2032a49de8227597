#include "text/write_file.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

namespace generator {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, int error) {
  throw std::system_error(error, std::generic_category(), "cannot write " + path);
}

/// Closes `stream` in any case. Gives 0, or the errno value of what failed.
int write_and_close(std::FILE* stream, const std::string& text) {
  errno = 0;
  int error = 0;
  if (std::fwrite(text.data(), 1, text.size(), stream) != text.size()) error = errno != 0 ? errno : EIO;
  // It may be the closing that finds the disk full.
  if (std::fclose(stream) != 0 && error == 0) error = errno;
  return error;
}

/// Where a chain of symbolic links ends, whether there is a file or not.
fs::path follow_links(fs::path path) {
  constexpr int kMaxLinks = 40;  // as on Linux
  std::error_code ignored;
  for (int i = 0; i < kMaxLinks && fs::is_symlink(path, ignored); ++i) {
    path = path.parent_path() / fs::read_symlink(path, ignored);
  }
  return path;
}

/// Refuses a file that the caller may not write: a rename asks for the right to change the folder only.
void require_writable(const std::string& path) {
  std::FILE* const stream = std::fopen(path.c_str(), "r+b");  // changes nothing
  if (stream == nullptr) fail(path, errno);
  std::fclose(stream);
}

struct NewFile {
  fs::path path;
  std::FILE* stream;
};

/// A new file in `folder`. `wanted` is the path to name in messages.
NewFile create_temporary(const fs::path& folder, const std::string& wanted) {
  constexpr int kMaxTries = 100;
  std::random_device random;
  for (int i = 0; i < kMaxTries; ++i) {
    fs::path path = folder / (".schemagen-" + std::to_string(random()) + ".tmp");
    std::FILE* const stream = std::fopen(path.string().c_str(), "wbx");
    if (stream != nullptr) return {std::move(path), stream};
    if (errno != EEXIST) break;
  }
  fail(wanted, errno);
}

void write_directly(const std::string& path, const std::string& text) {
  std::FILE* const stream = std::fopen(path.c_str(), "wb");
  if (stream == nullptr) fail(path, errno);
  if (const int error = write_and_close(stream, text)) fail(path, error);
}

/// `old` is the status of what is at `path`, a regular file or nothing.
void replace(const std::string& path, const std::string& text, const fs::file_status& old) {
  if (fs::exists(old)) require_writable(path);
  const fs::path target = follow_links(path);
  const NewFile temporary = create_temporary(target.parent_path(), path);
  std::error_code ignored;
  std::error_code error(write_and_close(temporary.stream, text), std::generic_category());
  if (!error && fs::exists(old)) fs::permissions(temporary.path, old.permissions(), ignored);
  if (!error) fs::rename(temporary.path, target, error);
  if (!error) return;
  fs::remove(temporary.path, ignored);
  fail(path, error.value());
}

}  // namespace

void write_file(const std::string& path, const std::string& text) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::status_known(status)) fail(path, error.value());
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_directly(path, text);
  replace(path, text, status);
}

}  // namespace generator
