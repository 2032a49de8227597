#include "schemagen/base/file_path.h"

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#include "schemagen/base/atomic_file.h"
#endif

namespace schemagen {

#if defined(_WIN32)

namespace fs = std::filesystem;

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

std::FILE* open_stream(const fs::path& path, const char* mode) {
  const std::string narrow = mode;
  return ::_wfopen(path.c_str(), std::wstring(narrow.begin(), narrow.end()).c_str());
}

std::FILE* create_stream(const fs::path& path) {
  // Older runtimes do not know the mode "wbx".
  const int file = ::_wopen(path.c_str(), _O_CREAT | _O_EXCL | _O_WRONLY | _O_BINARY, _S_IREAD | _S_IWRITE);
  return file == -1 ? nullptr : ::_fdopen(file, "wb");
}

void remove_file(const char* path) noexcept {
  try {
    ::_wremove(to_path(path).c_str());
  } catch (...) {  // the file was opened under this name, so only memory can be missing
  }
}

#else

std::filesystem::path to_path(const std::string& path) {
  return path;
}

std::string from_path(const std::filesystem::path& path) {
  return path.string();
}

std::FILE* open_stream(const std::filesystem::path& path, const char* mode) {
  return std::fopen(path.c_str(), mode);
}

std::FILE* create_stream(const std::filesystem::path& path) {
  return std::fopen(path.c_str(), "wbx");
}

void remove_file(const char* path) noexcept {
  std::remove(path);
}

#endif

}  // namespace schemagen
