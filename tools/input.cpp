#include "input.h"

#include <cstdio>

namespace pt2::tool {

FileBytes read_input(const std::string& path) {
  return path == "-" ? FileBytes(read_all(stdin, "<stdin>")) : read_file(path);
}

}  // namespace pt2::tool
