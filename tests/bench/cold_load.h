#pragma once

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

/// Prints this process's peak memory in KiB, because wait4() would include the parent's.
inline int tell_nodes(std::size_t nodes, int argc, char** argv) {
  std::printf("%zu\n", nodes);
  if (std::strcmp(argv[argc - 1], "--memory") != 0) return 0;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) std::printf("%ld\n", std::stol(line.substr(6)));
  }
  return 0;
}
