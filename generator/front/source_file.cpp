#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "front/imports.h"
#include "schemagen/base/error.h"

namespace generator {
namespace {

std::string read_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw schemagen::FileIoError("cannot read", path, EISDIR);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  // An empty file would set the failbit of `text`.
  if (in && in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  // Otherwise the failbit means a disk error or no memory.
  if (!in.is_open() || in.bad() || text.fail()) {
    throw std::system_error(errno == 0 ? EIO : errno, std::generic_category(), "cannot read " + path);
  }
  return std::move(text).str();
}

/// Devices and pipes could block or never end.
std::string read_regular_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored) &&
      !std::filesystem::is_directory(path, ignored))
    throw std::runtime_error("cannot read " + path + ": not a regular file");
  return read_file(path);
}

std::string path_without_links(const std::string& path) {
  std::error_code error;
  const std::filesystem::path resolved = std::filesystem::canonical(path, error);
  return error ? path : resolved.generic_string();
}

}  // namespace

std::string read_schema(const std::string& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  return read_file(path);
}

SchemaFiles files_on_disk() {
  return {"", read_regular_file, path_without_links};
}

}  // namespace generator
