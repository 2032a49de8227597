#include "front/source_file.h"

#include <cerrno>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <system_error>

namespace generator {

std::string read_schema(const std::string& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  // An empty file puts nothing into `text`, which sets its failbit: not an error.
  if (in && in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  // A text that fails has lost what came after an error of the disk, or found no more memory.
  if (!in.is_open() || in.bad() || text.fail() || errno == EISDIR) {
    throw std::system_error(errno == 0 ? EIO : errno, std::generic_category(), "cannot read " + path);
  }
  return std::move(text).str();
}

}  // namespace generator
